/// The one name in a validation predicate: `SELF`, the value; its keys are answered by the value itself.
public struct ValueNames: NameResolver {
    public init() {}

    public func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        start == .evaluatedObject ? ResolvedName(slot: 0, keyCount: 0) : nil
    }
}
