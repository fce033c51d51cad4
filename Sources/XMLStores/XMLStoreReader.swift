public import DocumentReading
internal import KeyedArchives

/// Reads an XML store from front to back, one object at a time; memory does not grow with the file.
///
/// A reader belongs to one thread at a time.
public final class XMLStoreReader {
    /// The maximum length of an attribute's text in bytes: that of SQLite's largest value.
    static let limits = XMLReadingLimits(maximumTextLength: 1_000_000_000, maximumExpansion: 0)

    /// The store's UUID, metadata and highest object number, which precede its objects.
    public let header: XMLStoreHeader

    /// Without run-time checks for overlapping accesses, which cannot occur since a reader has no callbacks.
    @exclusivity(unchecked) private var records: XMLStoreRecordReader

    private var reader: XMLEventStream { records.events }

    /// Opens a file and reads its header.
    /// - Throws: `DocumentError` with the location of the error.
    public convenience init(path: String) throws(DocumentError) {
        try self.init(XMLEventStream(path: path, limits: Self.limits))
    }

    /// Reads a store in memory; `name` is used in messages instead of a file name.
    /// - Throws: `DocumentError` with the location of the error.
    public convenience init(bytes: [UInt8], name: String) throws(DocumentError) {
        try self.init(XMLEventStream(bytes: bytes, name: name, limits: Self.limits))
    }

    private init(_ stream: consuming XMLEventStream) throws(DocumentError) {
        guard try stream.nextElement(), stream.name.qualifiedName == "database" else {
            throw stream.error("this is not an XML store: its outermost element is not \"database\"")
        }
        guard try stream.nextElement(), stream.name.qualifiedName == "databaseInfo" else {
            throw stream.error("\"databaseInfo\" has to stand before the objects of an XML store")
        }
        header = try Self.header(&stream)
        records = XMLStoreRecordReader(stream)
    }

    /// Fills a record with the next object; returns false after the last one.
    /// - Throws: `DocumentError` as `next()` does.
    public func next(into record: inout XMLStoreRecord) throws(DocumentError) -> Bool {
        try records.next(into: &record)
    }

    /// Returns the next object; nil after the last one.
    /// - Throws: `DocumentError` if an element, a type or a reference is invalid in an XML store.
    public func next() throws(DocumentError) -> XMLStoreObject? {
        guard try records.events.nextElement() else { return nil }
        guard reader.name.qualifiedName == "object" else {
            throw reader.error("an XML store has objects here, not \"\(reader.name.qualifiedName)\"")
        }
        guard let type = reader.attribute(named: "type"), let id = reader.attribute(named: "id") else {
            throw reader.error("an object needs a type and an id")
        }
        var object = XMLStoreObject(type: type, id: id, location: reader.location)
        while try records.events.nextElement() {
            switch reader.name.qualifiedName {
            case "attribute": object.attributes.append(try attribute())
            case "relationship": object.relationships.append(try relationship())
            case let other: throw reader.error("an object has attributes and relationships, not \"\(other)\"")
            }
        }
        return object
    }

    /// Skips to the end of the document without checking its contents; returns false if cancelled.
    ///
    /// - Parameter isCancelled: called from time to time.
    /// - Throws: `DocumentError` if the document is truncated or not well formed.
    public func skipToEnd(isCancelled: (() -> Bool)? = nil) throws(DocumentError) -> Bool {
        var count = 0
        while try records.events.next() != nil {
            count += 1
            if count % 65_536 == 0, isCancelled?() ?? false { return false }
        }
        return true
    }

    private func attribute() throws(DocumentError) -> XMLStoreObject.Attribute {
        guard let name = reader.attribute(named: "name"), let type = reader.attribute(named: "type") else {
            throw reader.error("an attribute needs a name and a type")
        }
        return XMLStoreObject.Attribute(
            name: name, type: type, text: XMLStoreText.unescaped(try records.events.elementText()))
    }

    private func relationship() throws(DocumentError) -> XMLStoreObject.Relationship {
        guard let name = reader.attribute(named: "name"), let destination = reader.attribute(named: "destination")
        else { throw reader.error("a relationship needs a name and a destination") }
        let counts = (reader.attribute(named: "type") ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard counts.count == 2, let minimum = Int(counts[0]), let maximum = Int(counts[1]) else {
            throw reader.error("the type of a relationship is two counts, such as 0/1 or 0/0")
        }
        let ids = (reader.attribute(named: "idrefs") ?? "").split(separator: " ").map(String.init)
        try records.events.skipElement()
        return XMLStoreObject.Relationship(
            name: name, minimumCount: minimum, maximumCount: maximum, destination: destination, ids: ids)
    }

    // MARK: The header

    private static func header(_ stream: inout XMLEventStream) throws(DocumentError) -> XMLStoreHeader {
        var version: Int?
        var uuid: String?
        var nextObjectID: Int64?
        var metadata = PropertyListDictionary()
        while try stream.nextElement() {
            switch stream.name.qualifiedName {
            case "version": version = Int(try stream.elementText())
            case "UUID": uuid = try stream.elementText()
            case "nextObjectID": nextObjectID = Int64(try stream.elementText())
            case "metadata": metadata = try self.metadata(&stream)
            case let other: throw stream.error("\"databaseInfo\" of an XML store has no \"\(other)\"")
            }
        }
        guard let version, let uuid, let nextObjectID else {
            throw stream.error("\"databaseInfo\" needs a version, a UUID and a nextObjectID")
        }
        return XMLStoreHeader(version: version, uuid: uuid, nextObjectID: nextObjectID, metadata: metadata)
    }

    private static func metadata(_ stream: inout XMLEventStream) throws(DocumentError) -> PropertyListDictionary {
        var result = PropertyListDictionary()
        while try stream.nextElement() {
            guard stream.name.qualifiedName == "plist" else {
                throw stream.error("the metadata of an XML store is a property list")
            }
            var elements = PropertyListElements()
            while try stream.nextElement() {
                guard case .dictionary(let dictionary) = try elements.value(&stream) else {
                    throw stream.error("the metadata of an XML store is a dictionary")
                }
                result = dictionary
            }
        }
        return result
    }
}
