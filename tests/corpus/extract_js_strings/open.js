x = /unclosed "y
"z\