-- A step with a setting: pages with few words are not stored.
--
--   modules:
--     load: [/etc/caddis/words.lua]
--   pipeline:
--     url: [preselect, precondition, fetch, decode, extract, words, records, links]
--   words:
--     min: 20

doc = "Leaves out pages with few words."
settings = {
  min = { default = 20, min = 0, max = 1000000, doc = "Pages with fewer words are not stored." },
}

local function words_in(html)
  return #re.all(re.replace(html, "<[^>]*>", " "), "[^ \t\r\n]+")
end

function step(page)
  if page.status ~= 200 or page.mime ~= "text/html" then return end
  local words = words_in(page.body)
  page:annotate("words:" .. words)
  page:add_metadata("words", tostring(words))
  if words < page.settings.min then page:leave_out() end
end
