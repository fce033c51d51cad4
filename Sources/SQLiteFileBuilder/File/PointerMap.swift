/// What each page is for and which page leads to it, for databases that give pages back ("Database File Format",
/// section 1.8): a map page of five bytes for each of the pages that follow it.
///
/// The map pages of the end of the file are in memory; entries of earlier ones are written to the file one by one.
final class PointerMap {
    enum Kind: UInt8 {
        case root = 1
        case firstOverflow = 3
        case laterOverflow = 4
        case node = 5
    }

    /// Where the entry of a page is.
    struct Place {
        /// The number of the map page among map pages.
        var group: Int
        var mapPage: UInt32
        var offset: Int
    }

    /// Map pages in memory: at 4096 bytes a page they cover 50 MiB of the file.
    static let windowPages = 16
    static let entrySize = 5

    private let pageSize: Int
    private let lockPage: UInt32
    /// Pages of one group: a map page and those it covers.
    private let groupPages: UInt32
    /// The first group in memory.
    @exclusivity(unchecked) private(set) var firstGroup = 0
    @exclusivity(unchecked) private(set) var window: ByteBuffer

    init(pageSize: Int, lockPage: UInt32) {
        self.pageSize = pageSize
        self.lockPage = lockPage
        groupPages = UInt32(pageSize / Self.entrySize) + 1
        window = ByteBuffer(capacity: Self.windowPages * pageSize)
    }

    func mapPage(ofGroup group: Int) -> UInt32 {
        let page = UInt32(group) * groupPages + 2
        return page == lockPage ? page + 1 : page
    }

    func isMapPage(_ number: UInt32) -> Bool {
        number >= 2 && mapPage(ofGroup: Int((number - 2) / groupPages)) == number
    }

    func place(of number: UInt32) -> Place {
        let group = Int((number - 2) / groupPages)
        let mapPage = mapPage(ofGroup: group)
        return Place(group: group, mapPage: mapPage, offset: Self.entrySize * Int(number - mapPage - 1))
    }

    func isInWindow(_ group: Int) -> Bool { group < firstGroup + Self.windowPages }

    /// The bytes of a group in the window.
    func range(ofGroup group: Int) -> Range<Int> {
        let start = group % Self.windowPages * pageSize
        return start..<start + pageSize
    }

    func store(_ kind: Kind, parent: UInt32, at place: Place) {
        let start = range(ofGroup: place.group).lowerBound + place.offset
        window[start] = kind.rawValue
        window.store(parent, at: start + 1)
    }

    /// Forgets the first group in memory, which has been written.
    func advance() {
        window.clear(range(ofGroup: firstGroup))
        firstGroup += 1
    }
}
