-- A policy: sections that matter come first in their queues, searches cost more, and numbered servers are one.
--
--   modules:
--     load: [/etc/caddis/news.lua]
--   frontier:
--     policy: news
--     order: module
--     cost: module
--   politeness:
--     together: module
--   news:
--     first: [/politics/, /economy/]

doc = "Orders the pages of newspapers."
settings = {
  first = { default = { "/news/" }, doc = "Paths that begin like one of these come first, in this order." },
}

function precedence(link, settings)
  for place, path in ipairs(settings.first) do
    if place <= 60 and string.find(link.path, path) == 1 then return place - 1 end
  end
  return 61
end

function cost(link)
  return string.find(link.url, "?") and 3 or 1
end

-- img1.example.org and img2.example.org are polite together.
function group(host)
  return (re.replace(host, [[^([a-z]+)\d+\.]], [[\1.]]))
end
