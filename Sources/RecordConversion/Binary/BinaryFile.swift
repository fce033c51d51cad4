internal import Glibc
import PersistentStores

/// A file that a value names. It is only read when its object is written, so that one file at a time is in memory.
package struct BinaryFile: FileContent, Equatable, Sendable {
    package let folder: BinaryFolder
    /// The path in the folder, as in the value.
    package let name: [UInt8]
    /// The size in bytes when the record was converted.
    let size: Int

    /// Examines a file without reading it.
    ///
    /// - Throws: `ConversionFailure` if the path leads out of the folder, or if the file is not a regular file or is
    ///   too large.
    package init(_ name: [UInt8], in folder: BinaryFolder) throws(ConversionFailure) {
        let descriptor = try folder.open(name.span)
        defer { close(descriptor) }
        size = try folder.size(of: descriptor)
        self.folder = folder
        self.name = name
    }

    /// Returns the contents of the file.
    package func content() throws(ConversionFailure) -> [UInt8] { try folder.content(of: name.span) }

    /// Returns the contents of the file as a row stores them: after tag 1 if the attribute allows external storage
    /// (docs/format/sqlite-store.md#external-binary-data).
    package func storedContent(isExternal: Bool) throws(ConversionFailure) -> [UInt8] {
        try (isExternal ? [1] : []) + content()
    }

    /// Passes the contents of the file to a closure in blocks, until the closure returns false.
    ///
    /// - Throws: `ConversionFailure` if the file cannot be read or has become too large; the closure's error.
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
            // The file may grow while it is read.
            guard total <= folder.largestFile else { throw ConversionFailure(.fileTooLarge) }
            guard try body(block[..<found]) else { return }
        }
    }
}

extension BinaryFile {
    /// Creates a reference to a file that was examined before.
    package init(_ name: [UInt8], of size: Int, in folder: BinaryFolder) {
        self.folder = folder
        self.name = name
        self.size = size
    }
}
