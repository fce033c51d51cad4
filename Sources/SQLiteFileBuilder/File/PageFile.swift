/// The pages of a file in the making: hands out numbers one after the other and writes them front to back.
///
/// A page gets its number when it is whole: whatever number of tables grows at the same time, the file is written in
/// one direction, and each tree keeps one open page for each of its levels ("Database File Format", section 1.2).
final class PageFile {
    private(set) var file: OutputFile
    let pageSize: Int
    private let map: PointerMap?
    /// One entry of the map on its way into an older map page.
    @exclusivity(unchecked) private var entry = ByteBuffer(capacity: PointerMapLayout.entrySize)
    /// The page that holds the byte at 1 GiB, which only locks use (section 1.4).
    private let lockPage: UInt32
    /// The number after the highest one handed out.
    @exclusivity(unchecked) private(set) var next: UInt32 = 2

    /// Pages from `bufferStart` on that are not written yet.
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
        // What is given up may be written again by others: nothing of it must come behind that.
        try? writer.wait()
    }

    /// Lets another file have the pages; false if this one has some already.
    func move(to other: OutputFile) -> Bool {
        guard bufferStart == 1 else { return false }
        file = other
        writer = BlockWriter(other, size: bufferPages * pageSize, count: waitingWrites)
        return true
    }

    /// The number of the next page that may hold anything.
    func allocate() throws(BuildError) -> UInt32 {
        while next == lockPage || map?.layout.isMapPage(next) ?? false { next += 1 }
        // SQLite's own limit; one more could not be counted.
        guard next < 0xffff_fffd else { throw BuildError(.full, path: file.path) }
        defer { next += 1 }
        return next
    }

    /// Writes a page, or a part of one that begins at `offset`.
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
            // Pages between are map pages, roots, and that of the lock: zeros until they are written.
            buffer.clear(bufferCount * pageSize..<(place + 1) * pageSize)
            bufferCount = place + 1
        }
        buffer.copy(bytes, range, at: place * pageSize + offset)
    }

    /// Notes what a page is for and which page leads to it (section 1.8).
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

    /// Writes all that is not written yet; the file then has all of its pages.
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
