/// The names in a source mapping model (docs/format/mapping-models.md#source-form): those of the entities and
/// properties of the editor's own model.
enum SourceMappingFormat {
    static let model = "XDDEVMAPPINGMODEL"
    static let entityMapping = "XDDEVENTITYMAPPING"
    static let attributeMapping = "XDDEVATTRIBUTEMAPPING"
    static let relationshipMapping = "XDDEVRELATIONSHIPMAPPING"

    /// The version hashes of the editor's entities, in base 64: the same in all files since 2008.
    static let hashes = [
        ("XDDevAttributeMapping", "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc="),
        ("XDDevEntityMapping", "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI="),
        ("XDDevMappingModel", "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ="),
        ("XDDevPropertyMapping", "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA="),
        ("XDDevRelationshipMapping", "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs="),
    ]

    /// The checksum of those hashes.
    static let checksum = "bMpud663vz0bXQE24C6Rh4MvJ5jVnzsD2sI3njZkKbc="
}
