/** Where a script shows who else has the newsletter open, and that somebody has changed it. */
export function LiveNotices({ path }: { path: string }) {
  return (
    <div id="live" class="live" data-source={`${path}/live`}>
      <div id="viewers" class="viewers" role="status"></div>
      <div id="changed" role="status"></div>
    </div>
  )
}
