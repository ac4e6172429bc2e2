'use client';
import Link from 'next/link';
import { useState } from 'react';

export default function Page() {
  const [n, setN] = useState(0);
  return <main><h1>home</h1><Link id="to-item" href="/item/">item</Link><button id="count" onClick={() => setN(n + 1)}>counted {n}</button></main>;
}
