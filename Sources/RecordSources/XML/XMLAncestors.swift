internal import DocumentReading

/// The open elements around the records, and whether they match the record path.
struct XMLAncestors {
    private let path: XMLRecordPath
    /// The names of the open elements by the reader's index, if the path may begin anywhere.
    private var open: [Int] = []
    private var depth = 0
    /// The number of open elements, from the root, that match the path.
    private var matched = 0
    /// The text around the first record, which is written around rejected records.
    private(set) var wrapping = RecordWrapping(fileExtension: "xml")
    private var hasRecord = false
    /// The start tags of the open elements before the first record: in a rebuilt form, and their offsets.
    private var tags: [(rebuilt: [UInt8], offset: Int?)] = []
    private var names: [[UInt8]] = []

    init(_ path: XMLRecordPath) {
        self.path = path
    }

    /// Processes a start tag; returns whether the element is a record.
    mutating func open(_ reader: XMLEventStream, _ naming: inout XMLNaming, _ bytes: RecordBytes) -> Bool {
        let name = reader.nameIndex
        depth += 1
        let isRecord = isRecord(name, reader, &naming)
        if isRecord && !hasRecord {
            hasRecord = true
            finishWrapping(bytes)
        } else if !hasRecord {
            tags.append((XMLSerialization.startTag(reader), reader.hasDeclarations ? nil : reader.byteOffset))
            names.append(naming.qualifiedName(name, reader))
        }
        return isRecord
    }

    private mutating func isRecord(_ name: Int, _ reader: XMLEventStream, _ naming: inout XMLNaming) -> Bool {
        let steps = path.steps.count
        if path.isAnywhere {
            open.append(name)
            guard open.count >= steps else { return false }
            for step in 0..<steps where !naming.matches(step: step, open[open.count - steps + step], reader) {
                return false
            }
            return true
        }
        guard matched == depth - 1, matched < steps, naming.matches(step: matched, name, reader) else { return false }
        matched += 1
        return matched == steps
    }

    /// Processes an end tag.
    mutating func close() {
        if path.isAnywhere { open.removeLast() }
        depth -= 1
        matched = min(matched, depth)
        if !hasRecord {
            tags.removeLast()
            names.removeLast()
        }
    }

    /// Completes the text around the records. The original tags declare the namespaces of all their contents; rebuilt
    /// tags only declare their own.
    private mutating func finishWrapping(_ bytes: RecordBytes) {
        wrapping.prefix = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
        for tag in tags {
            wrapping.prefix += (tag.offset.flatMap { bytes.startTag(at: $0) } ?? tag.rebuilt) + [0x0A]
        }
        for name in names.reversed() { wrapping.suffix += Array("</".utf8) + name + Array(">\n".utf8) }
        wrapping.terminator = [0x0A]
        tags = []
        names = []
    }
}
