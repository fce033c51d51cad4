import CompressedStreams
import DocumentReading

/// An XML document in the archive of a workbook, read from front to back.
struct WorkbookPart {
    private(set) var events: XMLEventStream
    /// The local names by their indexes in the document. Prefixes differ among the programs that write workbooks.
    private var names: [String] = []
    private var isTag = false
    private let path: String
    private let entryName: String

    init(_ entry: ZipEntry, of archive: ZipArchive, path: String, limits: RecordLimits) throws(SourceError) {
        let reader: ZipEntryReader
        do throws(ZipError) {
            reader = try archive.reader(of: entry)
        } catch {
            throw SourceError(.archive(error), in: path)
        }
        var reading = XMLReadingLimits()
        reading.maximumTextLength = limits.bytes
        events = XMLEventStream(name: path, limits: reading) { buffer throws(DocumentError) in
            let result: Result<Int, ZipError> = buffer.withUnsafeMutableBytes { bytes in
                do throws(ZipError) {
                    return .success(try reader.read(into: bytes))
                } catch {
                    return .failure(error)
                }
            }
            switch result {
            case .success(let count): return count
            case .failure(let error):
                throw DocumentError(.unreadable, "\(error)", at: SourceLocation(file: path, line: 1))
            }
        }
        self.path = path
        entryName = entry.name
    }

    mutating func next() throws(SourceError) -> XMLEvent? {
        do throws(DocumentError) {
            let event = try events.next()
            isTag = event != .text && event != nil
            return event
        } catch {
            throw SourceError(
                .malformedDocument("\(entryName), line \(error.location.line): \(error.sentence)"), in: path)
        }
    }

    /// The name of the current tag without its prefix; empty for a text.
    var name: String {
        mutating get { isTag ? localName(events.nameIndex) : "" }
    }

    /// Returns the value of an attribute, named without its prefix; nil if the start tag does not have it.
    mutating func attribute(_ name: String) -> String? {
        for place in 0..<events.attributeCount where localName(events.attributeNameIndex(at: place)) == name {
            return events.attributeValue(at: place)
        }
        return nil
    }

    private mutating func localName(_ index: Int) -> String {
        while names.count <= index { names.append(events.name(at: names.count).localName) }
        return names[index]
    }
}
