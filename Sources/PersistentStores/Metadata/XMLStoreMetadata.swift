import DocumentReading
import KeyedArchives
import XMLStores

/// The metadata of an XML store, and the bytes of the file that they take.
struct XMLStoreMetadata {
    let metadata: StoreMetadata

    private let path: String
    private let size: Int64

    /// The `metadata` element with its tags.
    private let element: Range<Int64>

    /// Real headers take some kilobytes, and those of models of ten thousand entities less than two megabytes.
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
        // The file says it by its form.
        entries[StoreMetadata.Key.storeType] = .string(StoreType.xml.rawValue)
        metadata = StoreMetadata(uuid: header.uuid, entries: entries)
        size = FileSystem.size(path) ?? 0
        guard let element = try Self.element(in: path, size: size) else {
            throw StoreError(
                .metadataUnreadable("the element \"metadata\" is not found where an XML store has it"), path: path)
        }
        self.element = element
    }

    /// The new file's bytes: the old one's around other metadata.
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

    /// Where the element is; the file has been parsed already, so that only tags before the objects count.
    private static func element(in path: String, size: Int64) throws(StoreError) -> Range<Int64>? {
        // Twice as much each time: most headers are in the first piece.
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
