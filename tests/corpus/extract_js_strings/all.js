a="x\u{1F600}\ud83d\ude00\x41\/";b='c\
d'+`e${f}g`;// h
/* "i" */j=/[/"]k\/"/g.test(l)/m/"n";"key":"v"