internal import Glibc

/// A zip archive (PKWARE's APPNOTE 6.3.10, including Zip64), read by the directory at its end.
///
/// The directory is kept in memory; at most 64 MiB of it are read.
public final class ZipArchive {
    /// The files of the archive, in the order of its directory.
    public private(set) var entries: [ZipEntry] = []

    private let descriptor: Int32
    private let size: Int

    private static let largestDirectory = 64 << 20
    private static let endSize = 22
    private static let locatorSize = 20
    private static let directoryEntrySize = 46
    private static let localHeaderSize = 30

    /// Opens an archive and reads its directory.
    /// - Throws: `ZipError` if the file cannot be opened or read, is not an archive, or its directory is damaged.
    public init(path: String) throws(ZipError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            size = 0
            throw .cannotOpen(systemError: errno)
        }
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else {
            size = 0
            throw .cannotRead(systemError: errno)
        }
        size = Int(end)
        entries = try readDirectory()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the entry with a path; nil if there is none. Of several, it is the last, which programs also extract
    /// last.
    public func entry(named name: String) -> ZipEntry? { entries.last { $0.name == name } }

    /// Returns a reader for an entry's bytes.
    /// - Throws: `ZipError` if the entry is encrypted, compressed by an unknown method, or not at the offset in the
    ///   directory; or if the file cannot be read.
    public func reader(of entry: ZipEntry) throws(ZipError) -> ZipEntryReader {
        if entry.isEncrypted { throw .encrypted(entry: entry.name) }
        if case .other(let method) = entry.method { throw .unknownMethod(entry: entry.name, method) }
        let header = LittleEndian(try bytes(entry.headerOffset, Self.localHeaderSize))
        guard header.word(0) == 0x0403_4B50 else { throw .damaged("\(entry.name) is not where the directory says") }
        let start = entry.headerOffset + Self.localHeaderSize + header.half(26) + header.half(28)
        guard start <= size, entry.packedSize <= size - start else {
            throw .damaged("\(entry.name) reaches beyond the end")
        }
        return try ZipEntryReader(self, entry, start..<start + entry.packedSize)
    }

    /// Reads some bytes at an offset; returns 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ZipError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .cannotRead(systemError: errno) }
        }
    }

    private func bytes(_ offset: Int, _ length: Int) throws(ZipError) -> [UInt8] {
        guard offset >= 0, length >= 0, offset <= size, length <= size - offset else {
            throw .damaged("its directory points beyond its end")
        }
        var bytes = [UInt8](repeating: 0, count: length)
        var done = 0
        while done < length {
            let result: Result<Int, ZipError> = bytes.withUnsafeMutableBytes { buffer in
                do throws(ZipError) {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                    return .success(try read(into: rest, at: offset + done))
                } catch {
                    return .failure(error)
                }
            }
            let count = try result.get()
            guard count > 0 else { throw .damaged("it ends too early") }
            done += count
        }
        return bytes
    }

    // MARK: The directory

    private func readDirectory() throws(ZipError) -> [ZipEntry] {
        // A comment of up to 64 KiB may follow.
        let tailSize = min(size, Self.endSize + Int(UInt16.max))
        let tail = LittleEndian(try bytes(size - tailSize, tailSize))
        guard
            let end = (0...max(0, tailSize - Self.endSize)).last(where: { place in
                tailSize >= Self.endSize && tail.word(place) == 0x0605_4B50
                    && tail.half(place + 20) <= tailSize - place - Self.endSize
            })
        else { throw .notAnArchive }
        var count = tail.half(end + 10)
        var byteCount = tail.word(end + 12)
        var offset = tail.word(end + 16)
        if count == 0xFFFF || byteCount == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
            (count, byteCount, offset) = try largeDirectory(before: size - tailSize + end)
        }
        guard byteCount <= Self.largestDirectory else { throw .damaged("its directory has \(byteCount) bytes") }
        let directory = LittleEndian(try bytes(offset, byteCount))
        var entries: [ZipEntry] = []
        var place = 0
        while entries.count < count {
            guard place + Self.directoryEntrySize <= byteCount, directory.word(place) == 0x0201_4B50 else {
                throw .damaged("its directory breaks off")
            }
            let next =
                place + Self.directoryEntrySize + directory.half(place + 28) + directory.half(place + 30)
                + directory.half(place + 32)
            guard next <= byteCount else { throw .damaged("its directory breaks off") }
            entries.append(try Self.entry(directory, at: place))
            place = next
        }
        return entries
    }

    /// Returns the end of the directory in Zip64 form; values beyond the size of the file become read errors.
    private func largeDirectory(before end: Int) throws(ZipError) -> (count: Int, byteCount: Int, offset: Int) {
        let locator = LittleEndian(try bytes(end - Self.locatorSize, Self.locatorSize))
        guard locator.word(0) == 0x0706_4B50 else { throw .damaged("its directory breaks off") }
        let record = LittleEndian(try bytes(locator.long(8), 56))
        guard record.word(0) == 0x0606_4B50 else { throw .damaged("its directory breaks off") }
        return (record.long(32), record.long(40), record.long(48))
    }

    private static func entry(_ directory: LittleEndian, at place: Int) throws(ZipError) -> ZipEntry {
        let nameStart = place + directoryEntrySize
        let extraStart = nameStart + directory.half(place + 28)
        let name = String(decoding: directory.bytes[nameStart..<extraStart], as: UTF8.self)
        var packedSize = directory.word(place + 20)
        var size = directory.word(place + 24)
        var offset = directory.word(place + 42)
        // The Zip64 form has, in this order, those of the three values that do not fit into 32 bits.
        var extra = extraStart
        let extraEnd = extraStart + directory.half(place + 30)
        while extra + 4 <= extraEnd {
            let end = extra + 4 + directory.half(extra + 2)
            guard end <= extraEnd else { break }
            if directory.half(extra) == 1 {
                var field = extra + 4
                func long(_ value: Int) throws(ZipError) -> Int {
                    guard value == 0xFFFF_FFFF else { return value }
                    guard field + 8 <= end else { throw .damaged("\(name) has no size") }
                    defer { field += 8 }
                    return directory.long(field)
                }
                size = try long(size)
                packedSize = try long(packedSize)
                offset = try long(offset)
            }
            extra = end
        }
        let method: ZipEntry.Method =
            switch directory.half(place + 10) {
            case 0: .stored
            case 8: .deflated
            case let other: .other(other)
            }
        return ZipEntry(
            name: name, packedSize: packedSize, size: size, checksum: UInt32(directory.word(place + 16)),
            headerOffset: offset, method: method, isEncrypted: directory.half(place + 8) & 1 != 0)
    }
}

/// Little-endian numbers.
private struct LittleEndian {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
    func word(_ place: Int) -> Int { half(place) | half(place + 2) << 16 }
    /// Returns a number of 64 bits; the largest integer if it does not fit.
    func long(_ place: Int) -> Int {
        let high = word(place + 4)
        return high > Int(Int32.max) ? .max : word(place) | high << 32
    }
}
