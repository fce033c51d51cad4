internal import Glibc
import PersistentStores

/// A file that a value names: it is read when its object is written, one at a time.
package struct BinaryFile: FileContent, Equatable, Sendable {
    package let folder: BinaryFolder
    /// The path in the folder, as the value has it.
    package let name: [UInt8]
    /// The bytes that it had when its record was converted.
    let size: Int

    /// Looks at a file without reading it.
    ///
    /// - Throws: why the value cannot be followed: a path out of the folder, no regular file, or one that is too large.
    package init(_ name: [UInt8], in folder: BinaryFolder) throws(ConversionFailure) {
        let descriptor = try folder.open(name.span)
        defer { close(descriptor) }
        size = try folder.size(of: descriptor)
        self.folder = folder
        self.name = name
    }

    /// All bytes of the file.
    package func content() throws(ConversionFailure) -> [UInt8] { try folder.content(of: name.span) }

    /// The file's bytes as a row holds them: behind tag 1 if the attribute may have external records
    /// (docs/format/sqlite-store.md#external-binary-data).
    package func storedContent(isExternal: Bool) throws(ConversionFailure) -> [UInt8] {
        try (isExternal ? [1] : []) + content()
    }

    /// Hands the file's bytes over in blocks, until `body` returns false.
    ///
    /// - Throws: `ConversionFailure` where the file cannot be read or is too large by now; what `body` throws.
    func forEachBlock(of count: Int = 256 << 10, _ body: (ArraySlice<UInt8>) throws -> Bool) throws {
        let descriptor = try folder.open(name.span)
        defer { close(descriptor) }
        _ = try folder.size(of: descriptor)
        var total = 0
        var block = [UInt8](repeating: 0, count: count)
        while true {
            let found = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw ConversionFailure(.unreadableFile) }
            if found == 0 { return }
            total += found
            // It may grow while it is read.
            guard total <= folder.largestFile else { throw ConversionFailure(.fileTooLarge) }
            guard try body(block[..<found]) else { return }
        }
    }
}

extension BinaryFile {
    /// A file that was looked at before.
    package init(_ name: [UInt8], of size: Int, in folder: BinaryFolder) {
        self.folder = folder
        self.name = name
        self.size = size
    }
}
