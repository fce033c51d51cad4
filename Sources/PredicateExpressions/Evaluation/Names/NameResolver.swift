/// Turns the names in an expression into slots, once, before any row is evaluated.
public protocol NameResolver {
    /// The slot of a key path, or of as many of its first keys as the resolver knows; nil if it knows none.
    ///
    /// For a variable by itself the path is empty, and so it is for `SELF`. What is left of the path is asked for
    /// with `.object`, one key at a time, or answered by the value itself (`url.absoluteString`). A slot may cover
    /// several keys only where all but the last are to-one relationships.
    /// - Throws: any error, which ends the compilation.
    mutating func slot(of path: ArraySlice<String>, from start: NameStart) throws -> ResolvedName?

    /// The slot of a method, `FUNCTION(target, "selector:", ...)`; nil if it is unknown.
    /// - Throws: any error, which ends the compilation.
    mutating func slot(ofMethod selector: String, on target: MethodTarget) throws -> Int?

    /// The object whose ID is written as `x-coredata://STORE/Entity/p1`, as the context gives it; else why there is
    /// none.
    func object(at uri: String) -> Result<ObjectReference, EvaluationFault>
}

extension NameResolver {
    /// No slot: there are no methods unless the resolver says otherwise.
    /// - Throws: nothing, though other conforming types may.
    public mutating func slot(ofMethod selector: String, on target: MethodTarget) throws -> Int? {
        nil
    }

    /// No object: IDs have no meaning unless the resolver says otherwise.
    public func object(at uri: String) -> Result<ObjectReference, EvaluationFault> {
        .failure(.objectIDsUnknown)
    }
}
