import DocumentReading
import KeyedArchives
import XMLStores

/// The metadata of an XML store, and their position in the file.
struct XMLStoreMetadata {
    let metadata: StoreMetadata

    private let path: String
    private let size: Int64

    /// The range of the `metadata` element, including its tags.
    private let element: Range<Int64>

    /// In bytes. Real headers take some kilobytes; those of models of ten thousand entities take less than two
    /// megabytes.
    private static let maximumHeaderSize = 64 << 20

    init(path: String) throws(StoreError) {
        self.path = path
        let header: XMLStoreHeader
        do {
            header = try XMLStoreReader(path: path).header
        } catch {
            throw StoreError(.metadataUnreadable(error.description), path: path)
        }
        var entries = header.metadata
        // The file's format shows its type.
        entries[StoreMetadata.Key.storeType] = .string(StoreType.xml.rawValue)
        metadata = StoreMetadata(uuid: header.uuid, entries: entries)
        size = FileSystem.size(path) ?? 0
        guard let element = try Self.element(in: path, size: size) else {
            throw StoreError(
                .metadataUnreadable("the element \"metadata\" is not found where an XML store has it"), path: path)
        }
        self.element = element
    }

    /// Returns the parts of the new file: those of the old one around new metadata.
    func pieces(with new: StoreMetadata) throws(StoreError) -> [FileBytes.Piece] {
        guard new.uuid == metadata.uuid, new.storeType == metadata.storeType else {
            throw StoreError(.metadataUnwritable("UUID and type are not entries of an XML store"), path: path)
        }
        var entries = new.entries
        entries[StoreMetadata.Key.storeType] = nil
        do {
            let text = try XMLStoreHeader.metadataElement(entries)
            return [.old(0..<element.lowerBound), .bytes(Array(text.utf8)), .old(element.upperBound..<size)]
        } catch {
            throw StoreError(.metadataUnwritable("\(error)"), path: path)
        }
    }

    /// Returns the range of the element. The file has already been parsed, so only tags before the objects are
    /// considered.
    private static func element(in path: String, size: Int64) throws(StoreError) -> Range<Int64>? {
        // Twice as many bytes each time: most headers are within the first ones.
        var count = 1 << 16
        while true {
            let bytes = try FileBytes.beginning(of: path, count: min(count, maximumHeaderSize))
            if let range = XMLStoreHeader.metadataRange(in: bytes) {
                return Int64(range.lowerBound)..<Int64(range.upperBound)
            }
            guard Int64(bytes.count) < size, count < maximumHeaderSize else { return nil }
            count *= 2
        }
    }
}
