/// An error in a model, with its location.
public struct ModelError: Error, Sendable, Hashable {
    /// A kind of error.
    public enum Code: Sendable, Hashable {
        /// Two entities have the same name.
        case duplicateEntity
        /// Two properties of an entity, including inherited ones, have the same name.
        case duplicateProperty
        /// An element of a source document has no name.
        case missingName(element: String)
        /// The parent of an entity is not in the model.
        case unknownSuperentity(String)
        /// An entity inherits from itself.
        case inheritanceCycle
        /// The destination of a relationship is not in the model.
        case unknownDestination(String)
        /// The composite of an attribute is not in the model, or contains itself.
        case unknownComposite(String)
        /// The model has more properties than this, including those that subentities inherit and composites add.
        case tooManyProperties(limit: Int)
        /// The model has more entities than this; a store could not number them, since Core Data reserves the higher
        /// numbers.
        case tooManyEntities(limit: Int)
        /// The file cannot be read, for this reason.
        case unreadable(String)
        /// The file is not a model; the text says what it is.
        case notAModel(String)
        /// There is no model at the path.
        case noVersions
        /// There is no version with this name; with the names of the known versions.
        case unknownVersion(String, known: [String])
        /// Several versions have this name; with their paths.
        case ambiguousVersion(String, paths: [String])
        /// No version is the current one; with the names of the known versions.
        case noCurrentVersion(known: [String])
        /// Several bundles have a current version; with their paths.
        case severalCurrentVersions(paths: [String])
        /// Models that are to be merged have different entities with the same name.
        case mergeConflict
        /// Models that are to be merged have different parts with the same name; with the kind of the part, and its
        /// name.
        case mergeConflictOf(String, String)
        /// One model is needed, but there are several; with their paths.
        case severalModels(paths: [String])
        /// The model has no localization in a language.
        case unknownLanguage(String, known: [String])
        /// Swift sources do not determine the model, or contain a declaration for which no rule is known.
        case source(String)
        /// A model is needed, but the path leads to a store that contains none.
        case storeWithoutModel
    }

    /// The kind of the error.
    public let code: Code
    /// The name of the entity that the error is about; nil if it is about the model as a whole.
    public var entity: String?
    /// The name of the property that the error is about; nil if it is about the entity as a whole.
    public var property: String?

    /// The file that the model was read from; nil if unknown.
    public var path: String?

    /// The line in the file, counted from 1; nil if unknown.
    public var line: Int?

    /// The column in characters, counted from 1; nil if unknown.
    public var column: Int?

    /// The line itself with a caret below the position, and further text to show below the sentence; nil if there is
    /// nothing to show.
    public var excerpt: String?

    /// Makes an error, with its location if known.
    public init(_ code: Code, entity: String? = nil, property: String? = nil, path: String? = nil, line: Int? = nil) {
        self.code = code
        self.entity = entity
        self.property = property
        self.path = path
        self.line = line
    }
}

extension ModelError {
    /// Returns the error that there is no model at a path, or why a model there cannot be read.
    public static func noVersions(at path: String, _ warnings: [ModelWarning]) -> ModelError {
        guard let first = warnings.first else { return ModelError(.noVersions, path: path) }
        return ModelError(.unreadable(first.reason), path: first.path ?? path)
    }
}

extension ModelError: CustomStringConvertible {
    public var description: String {
        var place = path.map { $0 + ": " } ?? ""
        if let path, let line { place = "\(path):\(line)\(column.map { ":\($0)" } ?? ""): " }
        var subject = ""
        if let entity { subject = "entity \(entity)" + (property.map { ", property \($0)" } ?? "") + ": " }
        return place + subject + reason + (excerpt.map { "\n" + $0 } ?? "")
    }

    /// What is wrong and what to do, without the location.
    public var reason: String {
        switch code {
        case .duplicateEntity: "two entities of the model have this name; rename or remove one"
        case .duplicateProperty: "two properties of the entity have this name; rename or remove one"
        case .missingName(let element): "an element <\(element)> has no name; give it one in Xcode"
        case .unknownSuperentity(let name): "its parent entity \"\(name)\" is not in the model"
        case .inheritanceCycle: "the entity inherits from itself; break the cycle of parent entities"
        case .unknownDestination(let name): "its destination entity \"\(name)\" is not in the model"
        case .unknownComposite(""): "it names no composite type; choose one in Xcode, or give it another type"
        case .unknownComposite(let name): "its composite type \"\(name)\" is not in the model, or contains itself"
        case .tooManyProperties(let limit):
            "with inherited properties and elements of composites the model has more than \(limit) properties"
        case .tooManyEntities(let limit):
            "the model has more than \(limit) entities; numbers above that are Core Data's own in stores"
        case .unreadable(let reason), .source(let reason): reason
        case .notAModel(let reason): "this is not a managed object model: \(reason)"
        case .noVersions:
            "no model found here; name an .xcdatamodeld, an .xcdatamodel, a .momd, a .mom, Swift sources with @Model "
                + "classes, or a folder that holds some"
        case .unknownVersion(let name, let known):
            "there is no model version \"\(name)\"; known versions: \(known.joined(separator: ", "))"
        case .ambiguousVersion(let name, let paths):
            "several models have a version \"\(name)\"; name one by its path: \(paths.joined(separator: ", "))"
        case .noCurrentVersion(let known):
            "no version is marked as the current one; name one (--version, or --to where a command has it): "
                + known.joined(separator: ", ")
        case .severalCurrentVersions(let paths):
            "several models have a current version; name one by its path (--version, or --to where a command has it): "
                + paths.joined(separator: ", ")
        case .mergeConflict:
            "Can't merge models with two different entities named '\(entity ?? "")'; name one version of each model, or "
                + "remove what an older build left behind"
        case .mergeConflictOf(let kind, let name):
            "Can't merge models with two different \(kind)s named '\(name)'; rename one"
        case .severalModels(let paths): "several models are here; name one of them: \(paths.joined(separator: ", "))"
        case .unknownLanguage(let language, let known):
            "the model has no texts in the language \"\(language)\"; it has these: "
                + (known.isEmpty ? "none in a folder LANGUAGE.lproj" : known.joined(separator: ", "))
        case .storeWithoutModel:
            "the store carries no model; name the model of the app that made it, or a store of a newer system"
        }
    }
}
