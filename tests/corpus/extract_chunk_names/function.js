a.src=function(e){return i.p+"js/"+({}[e]||e)+"."+{0:"a1", 'x-y': 'b2'}[e]+".js?v=3"}(e)
