import ImportMappings
import RecordConversion
import StoreFetching
import ValueTransformers

/// The trial of a record before it is written, which is needed if only its values determine whether the import
/// recreates them.
struct ExportTrial: Sendable {
    /// An object that the record creates.
    struct Object: Sendable {
        var mapping: ObjectMapping
        /// The stored values of the mapping's attributes, in their order.
        var values: [FetchedProperty.Content]
        /// A value that is NULL if the object does not exist; nil for the record's own object.
        var presence: FetchedProperty.Content?
    }

    /// Another source that reads the same records, and must leave this one out.
    struct Rival: Sendable {
        var name: String
        var filter: RecordFilter
        var settings: ConversionSettings
    }

    var objects: [Object]
    var filter: RecordFilter?
    var settings: ConversionSettings
    var transformers = ValueTransformerRegistry()
    var rivals: [Rival] = []
    /// Whether a trial is needed.
    var isNeeded = false
}
