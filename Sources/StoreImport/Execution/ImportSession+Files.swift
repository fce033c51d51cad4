import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// Values that are the bytes of files. They are read object by object, so that memory holds one of them at a time.
extension ImportSession {
    /// Stores the files of an instance as the values of its attributes, at the end of the batch's arena: for external
    /// data the name of its new file, otherwise the bytes.
    ///
    /// - Returns: the reason if a file can no longer be read; otherwise nil.
    func takeFiles(
        of instance: Int, _ positions: some Sequence<Int>, _ current: inout ObjectInstances,
        _ writer: MappedObjectWriter,
        _ batch: inout RecordBatch
    ) throws -> RejectionReason? {
        guard !current.files.isEmpty else { return nil }
        let object = writer.object
        for position in positions where position < object.attributes.count {
            let place = instance * current.attributeCount + position
            guard let file = current.files[place] else { continue }
            let attribute = object.attributes[position]
            do {
                let value = try value(of: file, isExternal: attribute.isExternal)
                current.cells[place] = .blob(batch.appendRange(value.bytes))
            } catch let failure as ConversionFailure {
                return object.reason(failure, position, file)
            }
        }
        return nil
    }

    /// Returns the value of a column for the bytes of a file: the bytes, or the name of the external data that they
    /// become.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - isExternal: whether the attribute may have external data.
    func value(of file: BinaryFile, isExternal: Bool) throws -> (bytes: [UInt8], isName: Bool) {
        if isExternal, let name = try external.stored(file) { return (name, true) }
        return (try file.storedContent(isExternal: isExternal), false)
    }

    /// Removes the bytes of an instance's files from the arena, which are those after the first `count` bytes.
    func releaseFiles(
        of instance: Int, _ current: inout ObjectInstances, _ batch: inout RecordBatch, _ count: Int
    ) {
        guard !current.files.isEmpty else { return }
        var isHeld = false
        for position in 0..<current.attributeCount {
            let place = instance * current.attributeCount + position
            guard current.files[place] != nil else { continue }
            current.cells[place] = .null
            isHeld = true
        }
        if isHeld { batch.truncateArena(to: count) }
    }
}
