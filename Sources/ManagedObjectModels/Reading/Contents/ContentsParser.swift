import DocumentReading

/// Walks through a source model and collects its contents. One parser reads one document.
final class ContentsParser {
    let reader: XMLPullReader

    private(set) var warnings: [ModelWarning] = []

    /// The entity and property that are being read, for messages.
    var entityName: String?
    var propertyName: String?

    /// Where names are declared and used, for errors that are found at the end.
    var declarations = ContentsDeclarations()

    /// The lines on which parts of the model begin.
    var lines: [ModelElement: Int] = [:]

    /// The meanings of the names in the document, by their index.
    private var fields: [ContentsField?] = []
    private var elements: [ContentsElement?] = []

    /// The maximum number of warnings for a broken file.
    private static let maximumWarningCount = 1_000

    init(_ reader: XMLPullReader) {
        self.reader = reader
    }

    // MARK: The walk

    func next() throws(ModelError) -> XMLEvent? {
        do {
            return try reader.next()
        } catch {
            throw ModelError(error)
        }
    }

    /// Walks through an element's children, from its start tag on; the closure is called on each child's start tag, and
    /// consumes it up to its end tag.
    func forEachChild(_ body: (ContentsElement?) throws(ModelError) -> Void) throws(ModelError) {
        while let event = try next() {
            switch event {
            case .startElement: try body(currentElement)
            case .endElement: return
            case .text: if !reader.isBlankText { warn(.strayText) }
            }
        }
    }

    /// Skips the content of an element that should be empty, from its start tag on.
    func expectNoChildren(of element: ContentsElement) throws(ModelError) {
        try forEachChild { (_) throws(ModelError) in try self.skipUnknownElement(in: element) }
    }

    /// Skips an unknown element, from its start tag on.
    func skipUnknownElement(in parent: ContentsElement) throws(ModelError) {
        warn(.unknownElement(reader.name.qualifiedName, parent: parent.rawValue))
        do {
            try reader.skipElement()
        } catch {
            throw ModelError(error)
        }
    }

    // MARK: Names and values

    var currentElement: ContentsElement? {
        learnNames(through: reader.nameIndex)
        return elements[reader.nameIndex]
    }

    /// Returns the meaning of the attribute at an index; nil if it is unknown.
    func field(at place: Int) -> ContentsField? {
        let index = reader.attributeNameIndex(at: place)
        learnNames(through: index)
        return fields[index]
    }

    func value(at place: Int) -> String {
        reader.attributeValue(at: place)
    }

    /// Returns the value; nil if it is empty: Xcode leaves such attributes out, but handwritten files may contain them.
    func filledValue(at place: Int) -> String? {
        let value = reader.attributeValue(at: place)
        return value.isEmpty ? nil : value
    }

    /// The name of the current element, for messages: its attributes may be in any order.
    var ownName: String? {
        (0..<reader.attributeCount).first { field(at: $0) == .name }.flatMap { filledValue(at: $0) }
    }

    /// Returns a flag, YES or NO; other spellings are accepted.
    func flag(at place: Int) -> Bool {
        let text = value(at: place)
        switch text {
        case "YES", "yes", "true", "1": return true
        case "NO", "no", "false", "0": return false
        default:
            warnUnparsed(at: place, text, expected: "YES or NO")
            return false
        }
    }

    func count(at place: Int) -> Int? {
        let text = value(at: place)
        if let count = Int(text) { return count }
        warnUnparsed(at: place, text, expected: "a whole number")
        return nil
    }

    private func learnNames(through index: Int) {
        while fields.count <= index {
            let name = reader.name(at: fields.count).qualifiedName
            fields.append(ContentsField(rawValue: name))
            elements.append(ContentsElement(rawValue: name))
        }
    }

    // MARK: Messages

    func warn(_ code: ModelWarning.Code) {
        guard warnings.count < Self.maximumWarningCount else { return }
        warnings.append(
            ModelWarning(
                code, entity: entityName, property: propertyName, path: reader.fileName, line: reader.line))
    }

    func warnUnknownAttribute(at place: Int, of element: ContentsElement) {
        let name = reader.name(at: reader.attributeNameIndex(at: place)).qualifiedName
        warn(.unknownAttribute(name, element: element.rawValue))
    }

    func warnUnparsed(at place: Int, _ text: String, expected: String) {
        let name = reader.name(at: reader.attributeNameIndex(at: place)).qualifiedName
        warn(.unparsedValue(attribute: name, text: text, expected: expected))
    }

    func error(_ code: ModelError.Code, line: Int? = nil) -> ModelError {
        ModelError(
            code, entity: entityName, property: propertyName, path: reader.fileName, line: line ?? reader.line)
    }
}
