-- A frontier in memory: pages near the root of their sites first, whatever the site.
--
--   modules:
--     load: [/etc/caddis/shallow-first.lua]
--   frontier:
--     module: shallow-first

doc = "Visits pages near the root of their sites first."
settings = {
  last = { default = "/archive/", doc = "Paths that begin like this come last of all." },
}

-- For each depth the ids that wait, the first at `head`.
local lines, deepest = {}, 0

function add_url(id, link, settings)
  local depth = #re.all(link.path, "[^/]+")
  if depth > 99 or string.find(link.path, settings.last) == 1 then depth = 100 end
  local line = lines[depth]
  if line == nil then
    line = { head = 1, tail = 0 }
    lines[depth] = line
  end
  line.tail = line.tail + 1
  line[line.tail] = id
  if depth > deepest then deepest = depth end
end

function next_url()
  for depth = 0, deepest do
    local line = lines[depth]
    if line ~= nil and line.head <= line.tail then
      local id = line[line.head]
      line[line.head] = nil
      line.head = line.head + 1
      return id
    end
  end
end
