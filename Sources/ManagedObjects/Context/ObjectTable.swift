/// The objects of one table by their keys, without holding them.
///
/// Neighbours among the keys lie on a page, since objects are mostly asked for in the order of their keys: the page that
/// was asked for last is there for the next one.
final class ObjectTable {
    @exclusivity(unchecked) private var pages: [Int64: ObjectPage] = [:]
    @exclusivity(unchecked) private var last: ObjectPage?
    @exclusivity(unchecked) private(set) var count = 0

    /// All objects, in no order.
    var objects: [ManagedObject] { pages.values.flatMap(\.objects) }

    subscript(key: Int64) -> ManagedObject? { page(of: key)?[key] }

    /// Has an object in the place of another one, if there is one with its key.
    func insert(_ object: ManagedObject, _ key: Int64) {
        let page = page(of: key) ?? addPage(of: key)
        if page.insert(object, key) { count += 1 }
    }

    func remove(_ key: Int64) {
        guard let page = page(of: key), page.remove(key) else { return }
        count -= 1
        guard page.count == 0 else { return }
        pages[page.number] = nil
        last = nil
    }

    private func page(of key: Int64) -> ObjectPage? {
        let number = ObjectPage.number(of: key)
        if let last, last.number == number { return last }
        guard let page = pages[number] else { return nil }
        last = page
        return page
    }

    private func addPage(of key: Int64) -> ObjectPage {
        let page = ObjectPage(ObjectPage.number(of: key))
        pages[page.number] = page
        last = page
        return page
    }
}
