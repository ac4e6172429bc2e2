import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes, useLocation, useNavigate } from 'react-router-dom';

const Item = lazy(() => import('./react_item.jsx'));

function Where() {
  const { pathname, search, hash } = useLocation();
  return <p id="where">{pathname + search + hash} at {window.location.pathname + location.search}</p>;
}
function Home() {
  const navigate = useNavigate();
  return <><h1>home</h1><Link id="to-item" to="/item/7?x=1#h">item</Link><button id="push" onClick={() => navigate('/item/8')}>go</button></>;
}
createRoot(document.getElementById('app')).render(
  <BrowserRouter basename="/react">
    <Where />
    <Suspense fallback="loading">
      <Routes>
        <Route path="/" element={<Home />} />
        <Route path="/item/:id" element={<Item />} />
        <Route path="*" element={<h1>no such route</h1>} />
      </Routes>
    </Suspense>
    <button id="back" onClick={() => history.back()}>back</button>
  </BrowserRouter>);
