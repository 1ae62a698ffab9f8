import { headersOf } from '../../server/site-rules.ts';
import { generated, type Host, type HostSettings } from './host.ts';

/**
 * S3 behind CloudFront, as a CloudFormation template. Paths without a file go to the API, by failover
 * between two origins, so the API also responds to missing paths.
 */
export const cloudfront: Host = {
  name: 'cloudfront',
  hasSiblings: false,
  isRemote: true,
  configure: (settings) => ({
    'cloudfront/template.json': `${JSON.stringify(template(settings), null, 2)}\n`,
    'cloudfront/viewer-request.js': viewerRequest,
  }),
};

const viewerRequest = `// ${generated}
function handler(event) {
  var request = event.request;
  var path = request.uri;
  if (path.startsWith('/api/') || path.startsWith('//') || path.includes('\\\\')) return request;
  var end = path.length;
  while (path[end - 1] === '/') end -= 1;
  var bare = path.slice(0, end).replace(/\\.html$/, '');
  if (bare === '' || bare === '/index') bare = '/';
  if (bare !== path) {
    var query = Object.entries(request.querystring).flatMap(([name, given]) =>
      (given.multiValue || [given]).map(({ value }) => (value === '' ? name : name + '=' + value)),
    );
    var location = bare + (query.length > 0 ? '?' + query.join('&') : '');
    return { statusCode: 308, statusDescription: 'Permanent Redirect', headers: { location: { value: location } } };
  }
  var name = path.slice(path.lastIndexOf('/') + 1);
  if (path === '/') request.uri = '/index.html';
  else if (!name.includes('.')) request.uri = path + '.html';
  return request;
}
`;

/** @param text has names of resources in braces */
const sub = (text: string) => ({ 'Fn::Sub': text.replaceAll('{', '${') });

/** Ids of policies that AWS manages. */
const managed = {
  noCaching: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  allViewerExceptHost: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
};

/** For each kind of file, an example whose headers apply to all of them. */
const kinds = {
  Pages: 'page.html',
  Data: 'file.txt',
  Images: 'image.png',
  Markdown: 'post.md',
  Assets: '_astro/script.js',
} as const;

type Kind = keyof typeof kinds;

function template({ isHttps, api, apiPaths }: HostSettings) {
  const policies = Object.entries(kinds).map(([kind, file]) => [
    `${kind}Headers`,
    {
      Type: 'AWS::CloudFront::ResponseHeadersPolicy',
      Properties: headersPolicy(kind, headersOf(file, isHttps)),
    },
  ]);
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: generated,
    Parameters: { Domain: { Type: 'String' }, CertificateArn: { Type: 'String' } },
    Resources: {
      Bucket: {
        Type: 'AWS::S3::Bucket',
        Properties: {
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
        },
      },
      BucketPolicy: {
        Type: 'AWS::S3::BucketPolicy',
        Properties: {
          Bucket: { Ref: 'Bucket' },
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Principal: { Service: 'cloudfront.amazonaws.com' },
                Action: 's3:GetObject',
                Resource: sub('{Bucket.Arn}/*'),
                Condition: {
                  StringEquals: {
                    'AWS:SourceArn': sub(
                      'arn:aws:cloudfront::{AWS::AccountId}:distribution/{Distribution}',
                    ),
                  },
                },
              },
            ],
          },
        },
      },
      AccessControl: {
        Type: 'AWS::CloudFront::OriginAccessControl',
        Properties: {
          OriginAccessControlConfig: {
            Name: sub('{AWS::StackName}-site'),
            OriginAccessControlOriginType: 's3',
            SigningBehavior: 'always',
            SigningProtocol: 'sigv4',
          },
        },
      },
      CleanUrls: {
        Type: 'AWS::CloudFront::Function',
        Properties: {
          Name: sub('{AWS::StackName}-clean-urls'),
          AutoPublish: true,
          FunctionConfig: { Comment: generated, Runtime: 'cloudfront-js-2.0' },
          FunctionCode: viewerRequest,
        },
      },
      FileCache: { Type: 'AWS::CloudFront::CachePolicy', Properties: cachePolicy('files', 'none') },
      BlogCache: { Type: 'AWS::CloudFront::CachePolicy', Properties: cachePolicy('blog', 'all') },
      ...Object.fromEntries(policies),
      Distribution: {
        Type: 'AWS::CloudFront::Distribution',
        Properties: { DistributionConfig: distribution(new URL(api), apiPaths) },
      },
    },
  };
}

const securityNames: readonly string[] = [
  'Strict-Transport-Security',
  'Content-Security-Policy',
  'Referrer-Policy',
  'X-Content-Type-Options',
];

/** Adds headers that S3 does not send. They do not override the API's. */
const headersPolicy = (kind: string, headers: Readonly<Record<string, string>>) => ({
  ResponseHeadersPolicyConfig: {
    Name: sub(`{AWS::StackName}-${kind.toLowerCase()}`),
    SecurityHeadersConfig: {
      ContentSecurityPolicy: {
        ContentSecurityPolicy: headers['Content-Security-Policy'],
        Override: false,
      },
      ContentTypeOptions: { Override: false },
      ReferrerPolicy: { ReferrerPolicy: headers['Referrer-Policy'], Override: false },
      ...(headers['Strict-Transport-Security'] && {
        StrictTransportSecurity: {
          AccessControlMaxAgeSec: Number(/\d+/.exec(headers['Strict-Transport-Security'])?.[0]),
          IncludeSubdomains: true,
          Override: false,
        },
      }),
    },
    CustomHeadersConfig: {
      Items: Object.entries(headers)
        .filter(([name]) => !securityNames.includes(name))
        .map(([Header, Value]) => ({ Header, Value, Override: false })),
    },
  },
});

/** Caches each response for as long as its headers say. Cookies in the key keep drafts private. */
const cachePolicy = (name: string, cookies: 'none' | 'all') => ({
  CachePolicyConfig: {
    Name: sub(`{AWS::StackName}-${name}`),
    MinTTL: 0,
    DefaultTTL: 0,
    MaxTTL: 31_536_000,
    ParametersInCacheKeyAndForwardedToOrigin: {
      EnableAcceptEncodingBrotli: true,
      EnableAcceptEncodingGzip: true,
      CookiesConfig: { CookieBehavior: cookies },
      HeadersConfig: { HeaderBehavior: 'none' },
      QueryStringsConfig: { QueryStringBehavior: cookies },
    },
  },
});

function distribution({ hostname, port }: URL, apiPaths: readonly string[]) {
  const files = (kind: Kind, cache = 'FileCache') => ({
    TargetOriginId: 'files-then-api',
    ViewerProtocolPolicy: 'redirect-to-https',
    AllowedMethods: ['GET', 'HEAD', 'OPTIONS'],
    Compress: true,
    CachePolicyId: { Ref: cache },
    ResponseHeadersPolicyId: { Ref: `${kind}Headers` },
    FunctionAssociations: [
      { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': ['CleanUrls', 'FunctionARN'] } },
    ],
  });
  const toApi = {
    TargetOriginId: 'api',
    ViewerProtocolPolicy: 'redirect-to-https',
    AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    CachePolicyId: managed.noCaching,
    OriginRequestPolicyId: managed.allViewerExceptHost,
  };
  return {
    Enabled: true,
    HttpVersion: 'http2and3',
    Aliases: [{ Ref: 'Domain' }],
    ViewerCertificate: {
      AcmCertificateArn: { Ref: 'CertificateArn' },
      SslSupportMethod: 'sni-only',
      MinimumProtocolVersion: 'TLSv1.2_2021',
    },
    Origins: [
      {
        Id: 'files',
        DomainName: { 'Fn::GetAtt': ['Bucket', 'RegionalDomainName'] },
        OriginAccessControlId: { Ref: 'AccessControl' },
        S3OriginConfig: { OriginAccessIdentity: '' },
      },
      {
        Id: 'api',
        DomainName: hostname,
        CustomOriginConfig: {
          OriginProtocolPolicy: 'https-only',
          HTTPSPort: Number(port || 443),
          OriginSSLProtocols: ['TLSv1.2'],
        },
      },
    ],
    OriginGroups: {
      Quantity: 1,
      Items: [
        {
          Id: 'files-then-api',
          // S3 responds with 403 if a file is missing.
          FailoverCriteria: { StatusCodes: { Quantity: 2, Items: [403, 404] } },
          Members: { Quantity: 2, Items: [{ OriginId: 'files' }, { OriginId: 'api' }] },
        },
      ],
    },
    DefaultCacheBehavior: files('Pages'),
    CacheBehaviors: [
      // No files below these paths. The API also accepts changes there.
      ...apiPaths
        .filter((path) => path !== '/blog/*')
        .map((PathPattern) => ({ PathPattern, ...toApi })),
      { PathPattern: '/_astro/*', ...files('Assets') },
      { PathPattern: '*.md', ...files('Markdown') },
      ...['*.xml', '*.json', '*.txt', '*.webmanifest'].map((PathPattern) => ({
        PathPattern,
        ...files('Data'),
      })),
      ...['*.png', '*.ico'].map((PathPattern) => ({ PathPattern, ...files('Images') })),
      { PathPattern: '/blog/*', ...files('Pages', 'BlogCache') },
    ],
  };
}
