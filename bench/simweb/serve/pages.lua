-- wrk asks for pages 1 to 3000 of host 0, in turn: wrk -s bench/simweb/serve/pages.lua -H "Host: h0.s0.test" http://127.0.0.1:18080
local pages, next = {}, 0
init = function(arguments)
  for number = 1, 3000 do
    pages[number] = wrk.format("GET", string.format("/d%d/p%d.html", number % 100, number))
  end
end
request = function()
  next = next % #pages + 1
  return pages[next]
end
