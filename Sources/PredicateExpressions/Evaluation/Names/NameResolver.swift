/// Turns the names in an expression into slots, once, before any row is evaluated.
public protocol NameResolver {
    /// Returns the slot of a key path, or of as many of its first keys as the resolver knows; nil if the first key is
    /// unknown.
    ///
    /// The path is empty for a variable alone, and for `SELF`. The rest of the path is resolved with `.object`, one key
    /// at a time, or by the value itself (`url.absoluteString`). A slot may cover several keys only if all but the last
    /// are to-one relationships.
    /// - Throws: any error, which ends the compilation.
    mutating func slot(of path: ArraySlice<String>, from start: NameStart) throws -> ResolvedName?

    /// Returns the slot of a method, `FUNCTION(target, "selector:", ...)`; nil if it is unknown.
    /// - Throws: any error, which ends the compilation.
    mutating func slot(ofMethod selector: String, on target: MethodTarget) throws -> Int?

    /// Returns the object with an ID of the form `x-coredata://STORE/Entity/p1`, as a reference for the context;
    /// otherwise the reason.
    func object(at uri: String) -> Result<ObjectReference, EvaluationFault>
}

extension NameResolver {
    /// Returns nil, since there are no methods by default.
    /// - Throws: nothing; other conforming types may throw.
    public mutating func slot(ofMethod selector: String, on target: MethodTarget) throws -> Int? {
        nil
    }

    /// Returns a failure, since IDs are not supported by default.
    public func object(at uri: String) -> Result<ObjectReference, EvaluationFault> {
        .failure(.objectIDsUnknown)
    }
}
