import TextEncodings

/// Converts XML property lists to values, with references for the `CF$UID` dictionaries that represent them there.
public enum XMLPropertyListReader {
    /// Reads the value in the `plist` element, or a root value without one; the input may be hostile.
    /// - Throws: `PropertyListError` with the location where the input is malformed or exceeds a limit.
    public static func value(
        from bytes: [UInt8], limits: PropertyListLimits? = nil
    ) throws(PropertyListError) -> PropertyListValue {
        var reading = XMLPropertyListReading(
            scanner: XMLPropertyListScanner(ByteOrderMark.utf8(of: bytes)),
            limits: limits ?? .proportional(to: bytes.count))
        return try reading.document()
    }
}

private struct XMLPropertyListReading {
    /// A container whose end has not been reached.
    private struct OpenContainer {
        let name: String
        var elements: [PropertyListValue] = []
        var pairs = PropertyListDictionary()
        var key: String?
    }

    private var scanner: XMLPropertyListScanner
    private let limits: PropertyListLimits
    private var stack: [OpenContainer] = []
    private var result: PropertyListValue?
    private var isInPropertyList = false

    init(scanner: XMLPropertyListScanner, limits: PropertyListLimits) {
        self.scanner = scanner
        self.limits = limits
    }

    mutating func document() throws(PropertyListError) -> PropertyListValue {
        while true {
            let start = scanner.position
            switch try scanner.next() {
            case .open("plist") where stack.isEmpty && !isInPropertyList:
                isInPropertyList = true
            case .close("plist") where stack.isEmpty && isInPropertyList:
                isInPropertyList = false
            case .open(let name):
                try open(name, at: start)
            case .empty(let name):
                try empty(name, at: start)
            case .close(let name):
                try close(name, at: start)
            case .text(let text):
                // Two passes would be needed to know whether this is between elements, where text is not allowed.
                guard text.utf8.allSatisfy({ $0 <= 0x20 }) else {
                    throw scanner.error(.unexpectedCharacter, at: start, found: text)
                }
            case .end:
                guard stack.isEmpty, !isInPropertyList, let result else {
                    throw scanner.error(result == nil && stack.isEmpty ? .notAPropertyList : .unexpectedEnd)
                }
                return result
            }
        }
    }

    private mutating func open(_ name: String, at start: Int) throws(PropertyListError) {
        switch name {
        case "dict", "array":
            guard stack.count < limits.depth else { throw scanner.error(.tooDeep, at: start) }
            stack.append(OpenContainer(name: name))
        case "key":
            try take(key: content(of: name), at: start)
        default:
            try take(scalar(name, content: content(of: name), at: start), at: start)
        }
    }

    private mutating func empty(_ name: String, at start: Int) throws(PropertyListError) {
        switch name {
        case "dict": try take(.dictionary(PropertyListDictionary()), at: start)
        case "array": try take(.array([]), at: start)
        case "key": try take(key: "", at: start)
        default: try take(scalar(name, content: "", at: start), at: start)
        }
    }

    private mutating func close(_ name: String, at start: Int) throws(PropertyListError) {
        guard let container = stack.popLast(), container.name == name else {
            throw scanner.error(.elementMismatched, at: start, found: "</\(name)>")
        }
        if name == "array" {
            return try take(.array(container.elements), at: start)
        }
        guard container.key == nil else {
            throw scanner.error(.keyWithoutValue, at: start, found: container.key)
        }
        if container.pairs.count == 1, case .integer(let uid)? = container.pairs["CF$UID"], uid >= 0 {
            return try take(.uid(UInt64(uid)), at: start)
        }
        try take(.dictionary(container.pairs), at: start)
    }

    /// Returns the text up to the end tag of a scalar.
    private mutating func content(of name: String) throws(PropertyListError) -> String {
        var content = ""
        while true {
            let start = scanner.position
            switch try scanner.next() {
            case .text(let text): content += text
            case .close(name): return content
            case .end: throw scanner.error(.unexpectedEnd)
            case .close(let other): throw scanner.error(.elementMismatched, at: start, found: "</\(other)>")
            case .open(let other), .empty(let other):
                throw scanner.error(.elementMismatched, at: start, found: "<\(other)>")
            }
        }
    }

    private mutating func take(key: String, at start: Int) throws(PropertyListError) {
        guard let last = stack.indices.last, stack[last].name == "dict" else {
            throw scanner.error(.elementMismatched, at: start, found: "<key>")
        }
        guard stack[last].key == nil else {
            throw scanner.error(.keyWithoutValue, at: start, found: stack[last].key)
        }
        stack[last].key = key
    }

    private mutating func take(_ value: PropertyListValue, at start: Int) throws(PropertyListError) {
        guard let last = stack.indices.last else {
            guard result == nil else { throw scanner.error(.trailingContent, at: start) }
            result = value
            return
        }
        guard stack[last].name == "dict" else {
            stack[last].elements.append(value)
            return
        }
        guard let key = stack[last].key else { throw scanner.error(.keyNotText, at: start, found: value.kind) }
        stack[last].key = nil
        guard stack[last].pairs.insert(value, forKey: key) else {
            throw scanner.error(.keyRepeated, at: start, found: key)
        }
    }

    private func scalar(
        _ name: String, content: String, at start: Int
    ) throws(PropertyListError) -> PropertyListValue {
        switch name {
        case "string":
            return .string(content)
        case "true":
            return true
        case "false":
            return false
        case "integer":
            guard let integer = PropertyListNumber.integer(content) else {
                throw scanner.error(.numberInvalid, at: start, found: content)
            }
            return integer
        case "real":
            guard let real = PropertyListNumber.real(content) else {
                throw scanner.error(.numberInvalid, at: start, found: content)
            }
            return .real(real)
        case "date":
            guard let seconds = PropertyListDate.seconds(of: content) else {
                throw scanner.error(.dateInvalid, at: start, found: content)
            }
            return .date(seconds)
        case "data":
            guard let bytes = Base64.decode(content) else { throw scanner.error(.dataInvalid, at: start) }
            return .data(bytes)
        default:
            throw scanner.error(.elementUnknown, at: start, found: "<\(name)>")
        }
    }
}
