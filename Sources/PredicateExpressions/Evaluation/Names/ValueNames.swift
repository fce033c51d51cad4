/// The only name in a validation predicate: `SELF`, the value, which provides its keys itself.
public struct ValueNames: NameResolver {
    /// Makes the names of a validation predicate.
    public init() {}

    /// Returns slot 0 for `SELF`; nil for a variable or an object.
    public func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        start == .evaluatedObject ? ResolvedName(slot: 0, keyCount: 0) : nil
    }
}
