'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';

export default function Item() {
  const [words, setWords] = useState('');
  const path = usePathname();
  useEffect(() => { fetch('/words.json').then((r) => r.json()).then((all) => setWords(all.join(' '))); }, []);
  return <main><h1>item {path} {words}</h1><Link id="back" href="/">home</Link></main>;
}
