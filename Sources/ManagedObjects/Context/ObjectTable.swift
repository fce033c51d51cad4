/// The objects of one table by their keys, without holding them.
///
/// Neighbours among the keys lie on a page, since objects are mostly asked for in the order of their keys: the page that
/// was asked for last is there for the next one.
final class ObjectTable {
    @exclusivity(unchecked) private var pages: [Int64: ObjectPage] = [:]
    /// The list of pages holds it: to count one more reference for each object would take longer than the rest.
    @exclusivity(unchecked) private var last: Unmanaged<ObjectPage>?
    @exclusivity(unchecked) private var lastNumber: Int64 = 0
    @exclusivity(unchecked) private(set) var count = 0

    /// All objects, in no order.
    var objects: [ManagedObject] { pages.values.flatMap(\.objects) }

    subscript(key: Int64) -> ManagedObject? { page(of: key)?._withUnsafeGuaranteedRef { $0[key] } }

    /// Whether there is an object with the key.
    func has(_ key: Int64) -> Bool { page(of: key)?._withUnsafeGuaranteedRef { $0.has(key) } ?? false }

    /// Whether there is an object with the key; where there is none, one is about to be inserted.
    func hasOrAwaits(_ key: Int64) -> Bool {
        (page(of: key) ?? addPage(of: key))._withUnsafeGuaranteedRef { $0.has(key) }
    }

    /// Makes room for so many objects with neighbouring keys.
    func reserveCapacity(_ count: Int) { pages.reserveCapacity(pages.count + ObjectPage.count(ofObjects: count)) }

    /// Has an object in the place of another one, if there is one with its key.
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
