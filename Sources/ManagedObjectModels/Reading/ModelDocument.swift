/// A model as a file holds it: the model itself, and what the file says beyond it.
public struct ModelDocument: Sendable {
    /// The model, without what only its source says.
    public var model: ManagedObjectModel

    /// The attributes of a source document's root in their order: tool versions, language and the like.
    public var header: [ModelHeaderAttribute]

    /// Where Xcode's diagram shows the entities.
    public var layout: [CanvasElement]

    /// What was not understood, or not as it should be.
    public var warnings: [ModelWarning]

    /// The lines of a source document, counted from 1, on which parts of the model begin; empty for a compiled model.
    public var lines: [ModelElement: Int]

    /// The files of parts that are not declared in the version's own file, as in Swift sources.
    public var files: [ModelElement: String] = [:]

    /// Why the hashes of entities are not certain, as far as the source of the model makes them so.
    public var hashDoubts: [String: [String]] {
        var doubts: [String: [String]] = [:]
        for warning in warnings {
            guard case .uncertainHash(let reason) = warning.code, let entity = warning.entity else { continue }
            doubts[entity, default: []].append((warning.property.map { "property \($0): " } ?? "") + reason)
        }
        return doubts
    }

    /// Makes a document of a model, and of what a file says beyond it.
    public init(
        model: ManagedObjectModel, header: [ModelHeaderAttribute] = [], layout: [CanvasElement] = [],
        warnings: [ModelWarning] = [], lines: [ModelElement: Int] = [:]
    ) {
        self.model = model
        self.header = header
        self.layout = layout
        self.warnings = warnings
        self.lines = lines
    }
}
