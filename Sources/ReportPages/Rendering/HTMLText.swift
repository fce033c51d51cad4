import TextEncodings

/// Escapes text for markup; the only code that does so.
struct HTMLText {
    func escaped(_ text: String) -> String { XMLText.escaped(text) }

    /// Returns an element that contains only text.
    func element(_ name: String, _ text: String, class kind: String? = nil) -> String {
        "<\(name)" + (kind.map { " class=\"\(XMLText.escaped($0))\"" } ?? "") + ">\(escaped(text))</\(name)>"
    }

    /// Returns content that may be wider than the page, in an element that can be scrolled separately, also with the
    /// keyboard.
    func scrolling(_ label: String, _ lines: [String], class kind: String = "scroll") -> [String] {
        ["<div class=\"\(kind)\" role=\"region\" tabindex=\"0\" aria-label=\"\(escaped(label))\">"] + lines + ["</div>"]
    }
}
