import KeyedArchives

/// The metadata of a binary store: a separate keyed archive after the objects.
struct BinaryStoreMetadata {
    let metadata: StoreMetadata

    private let path: String
    private let header: BinaryStoreHeader
    private let place: Range<Int64>

    /// The maximum number of bytes that are read, as for the metadata of other stores.
    private static let maximumSize = 64 << 20

    init(path: String) throws(StoreError) {
        self.path = path
        header = try BinaryStoreHeader(path: path)
        let size = FileSystem.size(path) ?? 0
        guard let place = header.metadata(inFileOf: size) else {
            throw StoreError(
                .metadataUnreadable("\(header.metadataClaim), in a file of \(size)"), path: path)
        }
        guard place.count <= Self.maximumSize else {
            throw StoreError(.metadataUnreadable("they take \(place.count) bytes"), path: path)
        }
        self.place = place
        let bytes = try FileBytes.read(path, at: place.lowerBound, count: place.count)
        do {
            let root = try KeyedArchive(bytes).root()
            guard case .dictionary(var entries) = try ArchivedValue.object(root).propertyList() else {
                throw StoreError(.metadataUnreadable("they are not a dictionary"), path: path)
            }
            let uuid = entries[StoreMetadata.Key.storeUUID]?.string ?? ""
            entries[StoreMetadata.Key.storeUUID] = nil
            metadata = StoreMetadata(uuid: uuid, entries: entries)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.metadataUnreadable("\(error)"), path: path)
        }
    }

    /// Throws if the file does not contain all objects.
    func checkEnding() throws(StoreError) {
        let size = FileSystem.size(path) ?? 0
        guard header.objectsEnd <= size else {
            throw StoreError(.truncated(expected: header.objectsEnd, found: size), path: path)
        }
    }

    /// Returns the parts of the new file: those of the old one, with another archive in place of this one.
    func pieces(with new: StoreMetadata) throws(StoreError) -> [FileBytes.Piece] {
        var builder = KeyedArchiveBuilder()
        let root: KeyedArchiveBuilder.Reference
        do {
            root = try builder.propertyList(.dictionary(new.dictionary))
        } catch {
            throw StoreError(.metadataUnwritable("\(error)"), path: path)
        }
        let archive = builder.bytes(root: root)
        // The map of objects is before the metadata; in a file where it is not, the metadata are appended.
        let size = FileSystem.size(path) ?? 0
        let start = place.upperBound == size ? place.lowerBound : size
        var newHeader = header
        newHeader.placeMetadata(at: start, length: Int64(archive.count))
        return [
            .bytes(newHeader.bytes),
            .old(BinaryStoreHeader.size..<start), .bytes(archive),
        ]
    }
}
