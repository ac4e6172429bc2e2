-- A rule: calendars have no end, so days of theirs are told from other pages.
--
--   modules:
--     load: [/etc/caddis/calendar.lua]
--   scope:
--     rules:
--       - shorthand
--       - reject module calendar            # everywhere
--       - reject module calendar events     # below /events/ alone

doc = "Whether a URL is a day of a calendar."

function rule(link, section)
  if section ~= "" and string.find(link.path, "/" .. section .. "/") ~= 1 then
    return false
  end
  return re.match(link.path, [[/(\d{4})/(\d{1,2})/(\d{1,2})(/|$)]]) ~= nil
end
