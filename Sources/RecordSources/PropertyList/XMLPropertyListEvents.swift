import DocumentReading
import KeyedArchives
import TextEncodings

/// The events of an XML property list, which is read incrementally.
struct XMLPropertyListEvents {
    private var reader: XMLEventStream
    private let name: String
    private let limits: RecordLimits
    private let input: ByteInput
    /// The open containers: whether each is a dictionary, and whether it has a key without a value.
    private var open: [(isDictionary: Bool, hasKey: Bool)] = []
    private var hasRoot = false

    init(_ input: ByteInput, limits: RecordLimits) {
        self.input = input
        self.limits = limits
        name = input.name
        // Base64 needs four characters for three bytes, and line ends.
        var reading = XMLReadingLimits(maximumTextLength: limits.bytes / 2 * 3 + 1)
        reading.cutsLongTexts = true
        reader = XMLEventStream(input, limits: reading)
    }

    var line: Int { reader.line }

    mutating func next() throws -> PropertyListEvent? {
        do {
            return try read()
        } catch {
            throw input.failure ?? error
        }
    }

    private mutating func read() throws -> PropertyListEvent? {
        while let event = try reader.next() {
            switch event {
            case .text:
                guard reader.isBlankText else { throw failure("text is where a value must be") }
            case .endElement:
                guard let closed = open.popLast() else { continue }
                guard !closed.hasKey else { throw failure("a key has no value") }
                return .end
            case .startElement:
                let tag = reader.name.localName
                if tag == "plist", !hasRoot, open.isEmpty { continue }
                return try element(tag)
            }
        }
        guard hasRoot else { throw failure("there is no value") }
        return nil
    }

    private mutating func element(_ tag: String) throws -> PropertyListEvent {
        if tag == "key" {
            guard let last = open.indices.last, open[last].isDictionary, !open[last].hasKey else {
                throw failure("a key is where a value must be")
            }
            open[last].hasKey = true
            return .key(try content())
        }
        if let last = open.indices.last {
            guard open[last].hasKey == open[last].isDictionary else { throw failure("a value has no key") }
            open[last].hasKey = false
        } else {
            guard !hasRoot else { throw failure("a second value follows the first") }
            hasRoot = true
        }
        switch tag {
        case "dict", "array":
            open.append((tag == "dict", false))
            return tag == "dict" ? .dictionary : .array
        default: return try scalar(tag)
        }
    }

    /// Returns the text of an element, up to its end tag.
    private mutating func content() throws -> String {
        var text = ""
        while let event = try reader.next() {
            switch event {
            case .text: text += reader.text
            case .endElement: return text
            case .startElement: throw failure("<\(reader.name.localName)> is inside a value")
            }
        }
        throw failure("the document ends in a value")
    }

    private mutating func scalar(_ tag: String) throws -> PropertyListEvent {
        let text = try content()
        if text.utf8.count > limits.bytes, tag != "data" { return .tooLarge }
        switch tag {
        case "string": return .value(.string(text))
        case "true": return .value(.boolean(true))
        case "false": return .value(.boolean(false))
        case "integer":
            guard let number = PropertyListNumber.integer(text) else {
                throw failure("no integer: \(Self.shown(text))")
            }
            return .value(number)
        case "real":
            guard let number = PropertyListNumber.real(text) else { throw failure("no number: \(Self.shown(text))") }
            return .value(.real(number))
        case "date":
            guard let seconds = FractionalDate.seconds(of: text) else { throw failure("no date: \(Self.shown(text))") }
            return .value(.date(seconds))
        case "data":
            if text.utf8.count > limits.bytes / 2 * 3 { return .tooLarge }
            guard let bytes = Base64.decode(text) else { throw failure("data that are not base64") }
            return bytes.count > limits.bytes ? .tooLarge : .value(.data(bytes))
        default: throw failure("<\(tag)> is not a value of a property list")
        }
    }

    private static func shown(_ text: String) -> String { RejectedValue.shown(Array(text.utf8)) }

    private func failure(_ reason: String) -> SourceError {
        SourceError(.malformedDocument(reason), in: name, line: reader.line)
    }
}
