import KeyedArchives

/// Writes compiled models: the archive of `NSManagedObjectModel` that Xcode's model compiler makes, a `.mom` file.
///
/// Classes, keys and values are those of the compiler's own files; the order of objects is that of the names. The
/// compiler's version is not claimed.
public struct CompiledModelWriter {
    /// The archive, and what of the model is not in it.
    public struct Result: Sendable {
        /// The content of the `.mom` file.
        public let bytes: [UInt8]
        /// What of the model is not in the archive, or not as it was.
        public let warnings: [ModelWarning]
    }

    private let model: ManagedObjectModel
    private let places: ModelPlaces
    private let moduleName: String?

    /// `moduleName` is the Swift module of classes whose name begins with a dot, as Xcode's "current product module".
    public init(_ model: ManagedObjectModel, moduleName: String? = nil) {
        self.init(ModelDocument(model: model), path: nil, moduleName: moduleName)
    }

    /// A model with the lines of its parts in the file that it was read from: errors and warnings name them.
    public init(_ document: ModelDocument, path: String?, moduleName: String? = nil) {
        model = document.model
        places = ModelPlaces(path: path, lines: document.lines)
        self.moduleName = moduleName
    }

    /// Compiles the model.
    /// - Throws: `ModelError` for a model that does not hold together (unknown parents, destinations, composites) and
    ///   for predicates and derivations that do not parse.
    public func compile() throws(ModelError) -> Result {
        var building = CompiledModelBuilding(model: model, places: places, moduleName: moduleName)
        do {
            _ = try ResolvedModel(model)
            let root = try building.add()
            return Result(bytes: building.builder.bytes(root: root), warnings: building.warnings)
        } catch let error as ModelError {
            throw places.locating(error)
        } catch {
            throw ModelError(.unreadable("\(error)"), path: places.path)
        }
    }
}
