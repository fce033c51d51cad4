/// The layout of a file's pointer map: which pages hold it, and where the entry of each page is ("Database File
/// Format", section 1.8). Each map page covers the pages that follow it.
struct PointerMapLayout {
    /// The place of a page's entry.
    struct Place {
        /// The number of the map page, counted among the map pages.
        var group: Int
        var mapPage: UInt32
        var offset: Int
    }

    /// The bytes of an entry: the purpose of a page, and the page that leads to it.
    static let entrySize = 5

    /// The page that SQLite never uses, because it contains the bytes of the locks.
    let lockPage: UInt32
    /// The number of pages in a group: a map page and the pages that it covers.
    private let groupPages: UInt32

    init(pageSize: Int, usableSize: Int) {
        lockPage = Self.lockPage(pageSize: pageSize)
        groupPages = UInt32(usableSize / Self.entrySize) + 1
    }

    static func lockPage(pageSize: Int) -> UInt32 { UInt32((1 << 30) / pageSize) + 1 }

    func mapPage(ofGroup group: Int) -> UInt32 {
        let page = UInt32(group) * groupPages + 2
        return page == lockPage ? page + 1 : page
    }

    func isMapPage(_ number: UInt32) -> Bool {
        number >= 2 && mapPage(ofGroup: Int((number - 2) / groupPages)) == number
    }

    /// Returns the place of the entry of a page that is neither the first page nor a map page.
    func place(of number: UInt32) -> Place {
        let group = Int((number - 2) / groupPages)
        let mapPage = mapPage(ofGroup: group)
        return Place(group: group, mapPage: mapPage, offset: Self.entrySize * Int(number - mapPage - 1))
    }
}
