r.u=e=>"static/js/"+({12:"about"}[e]||e)+"."+{12:"8f2c",34:"77e1"}[e]+".chunk.js",r.miniCssF=e=>"css/"+e+"."+({12:"aa"})[e]+".css";
