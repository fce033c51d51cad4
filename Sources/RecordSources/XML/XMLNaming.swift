internal import DocumentReading

/// The meaning of a document's names for the paths, looked up once for each name instead of for each element.
struct XMLNaming {
    /// The prefixes used in paths; the document may use other prefixes for the same namespaces.
    let namespaces: [String: String]
    let names: FieldNames
    let recordPath: XMLRecordPath

    /// For each of the reader's indexes, the number of an element's name; -2 if it has not been looked up yet.
    private var elements: [Int32] = []
    private var attributes: [Int32] = []
    /// For each of the reader's indexes, one bit for each step of the record path that has the name.
    private var steps: [UInt64] = []
    private var qualifiedNames: [[UInt8]] = []
    /// The namespaces of the document's own prefixes; the first one if a prefix has several.
    private(set) var documentNamespaces: [String: String] = [:]

    init(namespaces: [String: String], names: FieldNames, recordPath: XMLRecordPath) {
        self.namespaces = namespaces
        self.names = names
        self.recordPath = recordPath
    }

    mutating func element(_ index: Int, _ reader: XMLEventStream) -> Int32 {
        learn(upTo: index, reader)
        return elements[index]
    }

    mutating func attribute(_ index: Int, _ reader: XMLEventStream) -> Int32 {
        learn(upTo: index, reader)
        return attributes[index]
    }

    /// Returns whether a name matches a step of the record path.
    mutating func matches(step: Int, _ index: Int, _ reader: XMLEventStream) -> Bool {
        learn(upTo: index, reader)
        return steps[index] >> UInt64(step) & 1 == 1
    }

    /// Returns the name as written in the document.
    mutating func qualifiedName(_ index: Int, _ reader: XMLEventStream) -> [UInt8] {
        learn(upTo: index, reader)
        return qualifiedNames[index]
    }

    private mutating func learn(upTo index: Int, _ reader: XMLEventStream) {
        while elements.count <= index {
            let name = reader.name(at: elements.count)
            let aliases = [name.qualifiedName] + aliases(of: name)
            elements.append(number(of: aliases))
            attributes.append(number(of: aliases.map { "@" + $0 }))
            var bits: UInt64 = 0
            for (step, wanted) in recordPath.steps.enumerated() where wanted == "*" || aliases.contains(wanted) {
                bits |= 1 << UInt64(step)
            }
            steps.append(bits)
            if let uri = name.namespaceURI, name.prefix != "xml" {
                if documentNamespaces[name.prefix ?? ""] == nil { documentNamespaces[name.prefix ?? ""] = uri }
            }
            qualifiedNames.append(Array(name.qualifiedName.utf8))
        }
    }

    private func aliases(of name: XMLName) -> [String] {
        namespaces.compactMap { prefix, uri in
            guard uri == name.namespaceURI else { return nil }
            return prefix.isEmpty ? name.localName : prefix + ":" + name.localName
        }
    }

    private func number(of aliases: [String]) -> Int32 {
        for alias in aliases {
            let bytes = Array(alias.utf8)
            let number = names.find(bytes.span, 0..<bytes.count)
            if number >= 0 { return number }
        }
        return -1
    }
}
