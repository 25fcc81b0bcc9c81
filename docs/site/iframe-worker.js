// Where a page is read from a file, browsers start no workers: the search of the theme then runs in a frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.early = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = (this.inner = frame.contentWindow);
      inner.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      inner.importScripts = (...sources) =>
        sources.reduce((before, source) => before.then(() => this.load(source)), Promise.resolve());
      this.load(url).then(() => {
        const early = this.early;
        this.early = null;
        early.forEach((data) => this.postMessage(data));
      });
    }
    load(source) {
      return new Promise((loaded, failed) => {
        const script = this.inner.document.createElement("script");
        script.src = String(source);
        script.onload = loaded;
        script.onerror = failed;
        this.inner.document.body.append(script);
      });
    }
    postMessage(data) {
      if (this.early) this.early.push(data);
      else this.inner.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() {
      this.inner.frameElement.remove();
    }
  };
}
