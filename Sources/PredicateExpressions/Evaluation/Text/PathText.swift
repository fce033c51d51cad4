/// The components of a path, as for `NSString`: `/tmp/a.txt` ends in `a.txt`, whose extension is `txt`.
struct PathText {
    /// The path without trailing slashes, unless it is the root.
    let path: Substring.UTF8View

    init(_ text: String) {
        var path = text.utf8[...]
        while path.count > 1, path.last == UInt8(ascii: "/") {
            path.removeLast()
        }
        self.path = path
    }

    private var lastSlash: Substring.UTF8View.Index? { path.lastIndex(of: UInt8(ascii: "/")) }

    var lastComponent: String {
        guard path.count > 1, let lastSlash else { return String(Substring(path)) }
        return String(Substring(path[path.index(after: lastSlash)...]))
    }

    var withoutLastComponent: String {
        guard let lastSlash else { return "" }
        return lastSlash == path.startIndex ? "/" : PathText(String(Substring(path[..<lastSlash]))).text
    }

    /// The extension; empty if there is none: a leading dot of a name does not begin an extension.
    var pathExtension: String {
        let name = lastComponent.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
        return String(Substring(name[name.index(after: dot)...]))
    }

    var withoutExtension: String {
        let count = pathExtension.utf8.count
        return count == 0 ? text : String(Substring(path.dropLast(count + 1)))
    }

    private var text: String { String(Substring(path)) }
}
