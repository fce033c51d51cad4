import TextEncodings

/// The one place where text becomes markup.
struct HTMLText {
    func escaped(_ text: String) -> String { XMLText.escaped(text) }

    /// An element with nothing but text.
    func element(_ name: String, _ text: String, class kind: String? = nil) -> String {
        "<\(name)" + (kind.map { " class=\"\(XMLText.escaped($0))\"" } ?? "") + ">\(escaped(text))</\(name)>"
    }

    /// Content that may be wider than the page: it scrolls by itself, with the keyboard too.
    func scrolling(_ label: String, _ lines: [String], class kind: String = "scroll") -> [String] {
        ["<div class=\"\(kind)\" role=\"region\" tabindex=\"0\" aria-label=\"\(escaped(label))\">"] + lines + ["</div>"]
    }
}
