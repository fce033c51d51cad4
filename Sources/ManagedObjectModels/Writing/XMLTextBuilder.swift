import TextEncodings

/// Builds XML as Xcode writes models: indented by four spaces per level, with all data in attributes and with
/// empty-element tags.
struct XMLTextBuilder {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
    private var depth = 0

    /// Whether the last start tag is still open, so that it can become an empty-element tag.
    private var isTagOpen = false

    /// Begins an element; attributes without a value are left out.
    mutating func begin(_ name: String, _ attributes: [(String, String?)]) {
        closeTag()
        newLine()
        text += "<" + name
        for case (let name, let value?) in attributes {
            text += " " + name + "=\"" + XMLText.escaped(value) + "\""
        }
        isTagOpen = true
        depth += 1
    }

    mutating func end(_ name: String) {
        depth -= 1
        if isTagOpen {
            text += "/>"
            isTagOpen = false
        } else {
            newLine()
            text += "</" + name + ">"
        }
    }

    /// Adds an element without content.
    mutating func add(_ name: String, _ attributes: [(String, String?)]) {
        begin(name, attributes)
        end(name)
    }

    private mutating func closeTag() {
        if isTagOpen { text += ">" }
        isTagOpen = false
    }

    private mutating func newLine() {
        text += "\n" + String(repeating: "    ", count: depth)
    }
}
