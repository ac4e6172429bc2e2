-- An extractor: links that stand in data-href attributes, which browsers do not follow and scripts do.
--
--   modules:
--     load: [/etc/caddis/data-links.lua]
--   pipeline:
--     url: [preselect, precondition, fetch, decode, extract, data-links, records, links]

doc = "Finds the links in data-href attributes."

function step(page)
  if page.mime ~= "text/html" then return end
  for _, url in ipairs(re.all(page.body, [=[(?i)\sdata-href\s*=\s*["']([^"'<>]+)["']]=])) do
    page:add_link(url, "L", "data-href")
  end
end
