extension DocumentError: CustomStringConvertible {
    /// The error as `file:line:column: what is wrong`, and the line with a caret if known.
    public var description: String {
        let place = code == .unreadable ? location.file : location.description
        return "\(place): \(sentence)" + (excerpt.map { "\n" + $0.rendered } ?? "")
    }

    /// What is wrong and what to do about it, without the location.
    public var sentence: String {
        let detail = Self.shown(detail)
        switch code {
        case .unreadable: return "cannot be read: \(detail)"
        case .empty: return "the document is empty"
        case .malformed: return "not well formed: \(detail)"
        case .truncated: return "the document ends \(detail); it seems to be cut off"
        case .encoding: return "\(detail); convert the document to UTF-8"
        case .entityDeclaration where detail.isEmpty:
            return "it uses entities or default values that it declares itself; write out their text instead"
        case .entityDeclaration:
            return
                "it declares or uses the entity \"\(detail)\", which stands for another file or for declarations; nothing "
                + "outside the document is read: write out its text instead"
        case .undefinedEntity:
            return "the entity \"\(detail)\" is not defined; write the character itself, or its number as &#...;"
        case .tooDeep: return "nested too deep: at most \(detail) levels are read"
        case .tooLarge: return "too large: \(detail)"
        case .duplicateKey: return "the key \"\(detail)\" is given twice; remove one"
        case .unsupportedKey: return "a key must be a plain or quoted string"
        case .unknownAlias: return "no anchor \"\(detail)\" comes before this alias"
        case .severalDocuments: return "a second document begins here; only one is read from a file"
        case .unacceptable: return detail
        }
    }

    /// Returns a text from a document for a message: truncated, without control characters.
    static func shown(_ text: String, limit: Int = 300) -> String {
        var result = String.UnicodeScalarView()
        for (count, scalar) in text.unicodeScalars.enumerated() {
            guard count < limit else { return String(result) + "…" }
            result.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return String(result)
    }
}
