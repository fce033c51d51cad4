import KeyedArchives

/// Writes compiled models: the archive of `NSManagedObjectModel` that Xcode's model compiler makes, a `.mom` file.
///
/// Classes, keys and values are the same as in files of the compiler; objects are in the order of the names. The
/// compiler's version is not written.
public struct CompiledModelWriter {
    /// An archive, with warnings about the parts of the model that it lacks.
    public struct Result: Sendable {
        /// The content of the `.mom` file.
        public let bytes: [UInt8]
        /// Warnings about the parts of the model that are missing from the archive, or changed in it.
        public let warnings: [ModelWarning]
    }

    private let model: ManagedObjectModel
    private let places: ModelPlaces
    private let moduleName: String?

    /// Prepares to compile a model; `moduleName` is the Swift module of classes whose name begins with a dot, Xcode's
    /// "current product module".
    public init(_ model: ManagedObjectModel, moduleName: String? = nil) {
        self.init(ModelDocument(model: model), path: nil, moduleName: moduleName)
    }

    /// Prepares to compile a model with the lines of its parts in its file, which errors and warnings give.
    public init(_ document: ModelDocument, path: String?, moduleName: String? = nil) {
        model = document.model
        places = ModelPlaces(path: path, lines: document.lines)
        self.moduleName = moduleName
    }

    /// Compiles the model.
    /// - Throws: `ModelError` for an inconsistent model (unknown parents, destinations, composites), and for predicates
    ///   and derivations that cannot be parsed.
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
