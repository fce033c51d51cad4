/// Unowned references to the objects of one table, by their keys.
///
/// Adjacent keys share a page, since objects are usually accessed in the order of their keys: the last page that was
/// used often has the next object, too.
final class ObjectTable {
    @exclusivity(unchecked) private var pages: [Int64: ObjectPage] = [:]
    /// Retained by the dictionary of pages: another reference count per object would take longer than the rest.
    @exclusivity(unchecked) private var last: Unmanaged<ObjectPage>?
    @exclusivity(unchecked) private var lastNumber: Int64 = 0
    @exclusivity(unchecked) private(set) var count = 0

    /// All objects, in no order.
    var objects: [ManagedObject] { pages.values.flatMap(\.objects) }

    subscript(key: Int64) -> ManagedObject? { page(of: key)?._withUnsafeGuaranteedRef { $0[key] } }

    /// Returns whether there is an object with the key.
    func has(_ key: Int64) -> Bool { page(of: key)?._withUnsafeGuaranteedRef { $0.has(key) } ?? false }

    /// Returns whether there is an object with the key; if not, prepares for inserting one.
    func hasOrAwaits(_ key: Int64) -> Bool {
        (page(of: key) ?? addPage(of: key))._withUnsafeGuaranteedRef { $0.has(key) }
    }

    /// Reserves memory for a number of objects with adjacent keys.
    func reserveCapacity(_ count: Int) { pages.reserveCapacity(pages.count + ObjectPage.count(ofObjects: count)) }

    /// Adds an object, or replaces the one with the same key.
    func insert(_ object: ManagedObject, _ key: Int64) {
        let page = page(of: key) ?? addPage(of: key)
        if page._withUnsafeGuaranteedRef({ $0.insert(object, key) }) { count += 1 }
    }

    func remove(_ key: Int64) {
        guard let page = page(of: key) else { return }
        let (isRemoved, isEmpty) = page._withUnsafeGuaranteedRef { ($0.remove(key), $0.isEmpty) }
        guard isRemoved else { return }
        count -= 1
        guard isEmpty else { return }
        last = nil
        pages[ObjectPage.number(of: key)] = nil
    }

    private func page(of key: Int64) -> Unmanaged<ObjectPage>? {
        let number = ObjectPage.number(of: key)
        if number == lastNumber, let last { return last }
        guard let page = pages[number] else { return nil }
        (last, lastNumber) = (.passUnretained(page), number)
        return last
    }

    private func addPage(of key: Int64) -> Unmanaged<ObjectPage> {
        let page = ObjectPage()
        let number = ObjectPage.number(of: key)
        pages[number] = page
        let known = Unmanaged.passUnretained(page)
        (last, lastNumber) = (known, number)
        return known
    }
}
