r.u=function(e){return e===1?"static/a.js":"b"===e?"static/b.js":(592===e?"common":7==e?'seven':e)+"."+{592:"c"}[e]+`.js`}
