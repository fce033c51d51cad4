/// The events of a YAML document.
enum YAMLEvent {
    case documentStart
    case documentEnd
    case streamEnd
    case alias(String)
    case scalar(String, style: YAMLScalarStyle, anchor: String?, tag: String?)
    case sequenceStart(anchor: String?, tag: String?)
    case mappingStart(anchor: String?, tag: String?)
    /// The end of a sequence or a mapping.
    case end
    case other
}
