-- A statistics tracker: how many documents and bytes there are of each type, in reports/by-type-report.txt.
--
--   modules:
--     load: [/etc/caddis/by-type.lua]

doc = "Counts documents and bytes by type."

local count, bytes = {}, {}

-- Servers may make up types: those beyond the thousandth count as others.
local known, most = 0, 1000

local function add(mime, documents, size)
  if count[mime] == nil then
    if known >= most then mime = "other" end
    known = known + 1
  end
  count[mime] = (count[mime] or 0) + documents
  bytes[mime] = (bytes[mime] or 0) + size
end

function finished(visit)
  if not visit.is_prerequisite and visit.status > 0 then add(visit.mime, 1, visit.size) end
end

-- What is kept if the crawl is stopped or dies: a line for each type.
local function lines()
  local found = {}
  for mime in pairs(count) do
    found[#found + 1] = count[mime] .. " " .. bytes[mime] .. " " .. mime .. "\n"
  end
  table.sort(found)
  return table.concat(found)
end

function state() return lines() end

function restore(text)
  for _, line in ipairs(re.all(text, "[^\n]+")) do
    local documents, size, mime = re.match(line, [[^(\d+) (\d+) (.*)$]])
    add(mime, tonumber(documents), tonumber(size))
  end
end

function report() return "[#urls] [#bytes] [type]\n" .. lines() end
