import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';

export default function Item() {
  const { id } = useParams();
  const [words, setWords] = useState('');
  useEffect(() => { fetch('/words.json').then((answer) => answer.json()).then((all) => setWords(all.join(' '))); }, []);
  return <h1>item {id} {words}</h1>;
}
