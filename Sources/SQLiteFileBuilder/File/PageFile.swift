/// Allocates the pages of a file that is built, in the order of their numbers, and writes them from front to back.
///
/// A page gets its number when it is complete. However many tables grow at the same time, the file is written in one
/// direction, and each tree keeps one open page for each of its levels ("Database File Format", section 1.2).
final class PageFile {
    private(set) var file: OutputFile
    let pageSize: Int
    private let map: PointerMap?
    /// A map entry that is about to be written to an earlier map page.
    @exclusivity(unchecked) private var entry = ByteBuffer(capacity: PointerMapLayout.entrySize)
    /// The page that contains the byte at 1 GiB, which SQLite uses only for locks (section 1.4).
    private let lockPage: UInt32
    /// The number after the highest allocated one.
    @exclusivity(unchecked) private(set) var next: UInt32 = 2

    /// The pages from `bufferStart` on that have not been written yet.
    @exclusivity(unchecked) private var buffer: ByteBuffer
    @exclusivity(unchecked) private var bufferStart: UInt32 = 1
    @exclusivity(unchecked) private var bufferCount = 0
    private let bufferPages: Int

    private var writer: BlockWriter
    private let waitingWrites: Int

    init(_ file: OutputFile, settings: FileSettings, limits: BuildLimits) {
        self.file = file
        pageSize = settings.pageSize
        lockPage = PointerMapLayout.lockPage(pageSize: pageSize)
        bufferPages = max(1, limits.pagesPerWrite / pageSize)
        buffer = ByteBuffer(capacity: bufferPages * pageSize)
        waitingWrites = limits.waitingWrites
        writer = BlockWriter(file, size: bufferPages * pageSize, count: waitingWrites)
        map = settings.vacuum == .none ? nil : PointerMap(pageSize: pageSize, windowPages: max(1, limits.mapPages))
    }

    deinit {
        // If the file is abandoned, others may write it again, so the writer must have finished.
        try? writer.wait()
    }

    /// Continues in another file; returns false if pages have been written already.
    func move(to other: OutputFile) -> Bool {
        guard bufferStart == 1 else { return false }
        file = other
        writer = BlockWriter(other, size: bufferPages * pageSize, count: waitingWrites)
        return true
    }

    /// Returns the number of the next page that can hold content.
    func allocate() throws(BuildError) -> UInt32 {
        while next == lockPage || map?.layout.isMapPage(next) ?? false { next += 1 }
        // SQLite's limit; a higher page number would overflow.
        guard next < 0xffff_fffd else { throw BuildError(.full, path: file.path) }
        defer { next += 1 }
        return next
    }

    /// Writes a page, or the part of a page that begins at `offset`.
    func write(
        _ bytes: borrowing ByteBuffer, _ range: Range<Int>, at number: UInt32, offset: Int = 0
    ) throws(BuildError) {
        if number < bufferStart {
            try writer.wait()
            try file.write(bytes, range, at: Int64(number - 1) * Int64(pageSize) + Int64(offset))
            return
        }
        if Int(number - bufferStart) >= bufferPages { try flush(upTo: number) }
        let place = Int(number - bufferStart)
        if place >= bufferCount {
            // The pages between are map pages, root pages and the lock page. They are zeros until they are written.
            buffer.clear(bufferCount * pageSize..<(place + 1) * pageSize)
            bufferCount = place + 1
        }
        buffer.copy(bytes, range, at: place * pageSize + offset)
    }

    /// Records the purpose of a page, and the page that leads to it (section 1.8).
    func point(to number: UInt32, _ kind: PointerMap.Kind, from parent: UInt32) throws(BuildError) {
        guard let map else { return }
        let place = map.layout.place(of: number)
        while !map.isInWindow(place.group) { try writeFirstGroup(of: map) }
        if place.group >= map.firstGroup {
            map.store(kind, parent: parent, at: place)
        } else {
            entry[0] = kind.rawValue
            entry.store(parent, at: 1)
            try write(entry, 0..<PointerMapLayout.entrySize, at: place.mapPage, offset: place.offset)
        }
    }

    private func writeFirstGroup(of map: PointerMap) throws(BuildError) {
        let number = map.layout.mapPage(ofGroup: map.firstGroup)
        if number < next { try write(map.window, map.range(ofGroup: map.firstGroup), at: number) }
        map.advance()
    }

    /// Writes the remaining pages, so that the file is complete.
    func finish() throws(BuildError) {
        if let map {
            while map.layout.mapPage(ofGroup: map.firstGroup) < next { try writeFirstGroup(of: map) }
        }
        try flush(upTo: next)
        try writer.wait()
        try file.setSize(Int64(next - 1) * Int64(pageSize))
    }

    private func flush(upTo number: UInt32) throws(BuildError) {
        let start = Int64(bufferStart - 1) * Int64(pageSize)
        try writer.write(&buffer, bufferCount * pageSize, at: start)
        bufferStart = number
        bufferCount = 0
    }
}
