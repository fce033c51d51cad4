internal import DocumentReading

/// Finds the elements of an XML document that are records: the outermost elements that occur several times.
package struct XMLRecordFinding {
    /// The elements with the same path.
    private struct Element {
        let path: [String]
        var count = 0
        /// Whether an element has attributes or child elements.
        var hasParts = false
    }

    /// Their paths from the root, as `records` of a mapping specifies them, in the order of appearance.
    private(set) var recordPaths: [String] = []

    /// The paths of all elements, in the order of appearance.
    package var elementPaths: [String] { elements.map { "/" + $0.path.joined(separator: "/") } }

    private var elements: [Element] = []
    private var places: [String: Int] = [:]

    private let limits: DraftLimits

    package init(path: String, within limits: DraftLimits = DraftLimits()) throws {
        self.limits = limits
        var reader = XMLEventStream(try ByteInput(path: path))
        var open: [String] = []
        while reader.bytesRead < limits.searchedBytes, let event = try reader.next() {
            switch event {
            case .startElement:
                if !open.isEmpty { markParts(open) }
                open.append(reader.name.qualifiedName)
                count(open, hasAttributes: reader.attributeCount > 0)
            case .endElement: open.removeLast()
            case .text: break
            }
        }
        choose()
    }

    /// Returns whether the element that would contain these records exists and is empty.
    package func isEmptyList(of records: String) -> Bool {
        let parent = records.split(separator: "/").dropLast().map(String.init)
        return elements.contains { $0.path == parent }
            && !elements.contains { $0.path.count > parent.count && $0.path.starts(with: parent) }
    }

    private mutating func count(_ path: [String], hasAttributes: Bool) {
        let key = path.joined(separator: "/")
        if let place = places[key] {
            elements[place].count += 1
            if hasAttributes { elements[place].hasParts = true }
        } else if elements.count < limits.elementPaths {
            places[key] = elements.count
            elements.append(Element(path: path, count: 1, hasParts: hasAttributes))
        }
    }

    private mutating func markParts(_ path: [String]) {
        guard let place = places[path.joined(separator: "/")] else { return }
        elements[place].hasParts = true
    }

    private mutating func choose() {
        var chosen: [[String]] = []
        for element in elements where element.path.count > 1 && element.hasParts && element.count > 1 {
            if !chosen.contains(where: { element.path.starts(with: $0) }) { chosen.append(element.path) }
        }
        // Single elements beside them may be records too, but elements that only contain others are not records.
        for element in elements where element.path.count > 1 && element.hasParts && element.count == 1 {
            let isApart = !chosen.contains { $0.starts(with: element.path) || element.path.starts(with: $0) }
            if isApart { chosen.append(element.path) }
        }
        if chosen.isEmpty, let root = elements.first { chosen.append(root.path) }
        recordPaths = chosen.map { "/" + $0.joined(separator: "/") }
    }
}
