/// A model with the other contents of its file.
public struct ModelDocument: Sendable {
    /// The model, without information that occurs only in its source.
    public var model: ManagedObjectModel

    /// The attributes of a source document's root element, in order: tool versions, language and the like.
    public var header: [ModelHeaderAttribute]

    /// The positions of the entities in Xcode's diagram.
    public var layout: [CanvasElement]

    /// Parts of the file that were not understood, or that are irregular.
    public var warnings: [ModelWarning]

    /// The lines of a source document, counted from 1, on which parts of the model begin; empty for a compiled model.
    public var lines: [ModelElement: Int]

    /// The files of parts that are not declared in the version's own file, as in Swift sources.
    public var files: [ModelElement: String] = [:]

    /// The reasons why hashes of entities are uncertain because of the model's source, by entity name.
    public var hashDoubts: [String: [String]] {
        var doubts: [String: [String]] = [:]
        for warning in warnings {
            guard case .uncertainHash(let reason) = warning.code, let entity = warning.entity else { continue }
            doubts[entity, default: []].append((warning.property.map { "property \($0): " } ?? "") + reason)
        }
        return doubts
    }

    /// Makes a document from a model and the other contents of its file.
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
